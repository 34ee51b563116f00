import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import type { KeyedProvider } from '#shared/providers/provider.ts'
import { metricDefs, namesOf } from '#shared/telemetry/metrics.ts'
import { renderPrometheus } from '#shared/telemetry/prometheus.ts'
import { createRegistry } from '#shared/telemetry/registry.ts'
import type { ReadAnswer } from './model/answer-reading.ts'
import { ownRateGate } from './model/rate-gate.ts'
import { createLimiters, openModels } from './open-models.ts'
import { createCallMeters } from './telemetry/call-meters.ts'

const params = { temperature: 0, top_p: null, max_tokens: 8, stop: null, seed: null, reasoning_effort: null }
const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** A provider on loopback that answers everything and keeps by whom and for which model it was asked. */
async function providerOf(id: string, api_key: string | null): Promise<KeyedProvider & { asked: string[]; says: string }> {
  const asked: string[] = []
  const provider = { says: 'A' }
  const server = createServer((req, res) => {
    let text = ''
    req.on('data', (chunk) => (text += chunk))
    req.on('end', () => {
      asked.push(`${JSON.parse(text).model} ${req.headers.authorization ?? 'nobody'}`)
      const choices = [{ delta: { content: provider.says }, finish_reason: 'stop' }]
      res.end(`data: ${JSON.stringify({ choices })}\n\ndata: [DONE]\n\n`)
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a listening TCP server has an address record
  return Object.assign(provider, {
    id,
    label: id,
    kind: 'openai' as const,
    base_url: `http://127.0.0.1:${port}/v1`,
    models: [],
    api_key,
    asked,
  })
}
const ask = (model: ReturnType<ReturnType<typeof openModels>['open']>) =>
  model.generate({ messages: [{ role: 'user', content: 'x' }], params }, new AbortController().signal, () => undefined)

test("[MODEL62] the owner's key goes to its own provider, for model and judge, and to no other", async () => {
  const own = await providerOf('own', 'agent-key')
  const other = await providerOf('other', 'other-key')
  const models = openModels(
    [own, other],
    { provider: 'own', api_key: () => 'owner-key' },
    createLimiters(4, () => ownRateGate(null)),
    4,
  )
  for (const named of [
    { slug: 'model', provider: 'own' },
    { slug: 'judge', provider: 'own' },
    { slug: 'judge', provider: 'other' },
  ]) {
    expect(await ask(models.open(named))).toMatchObject({ ok: true, value: { text: 'A' } })
  }
  await models.close()
  expect(own.asked).toEqual(['model Bearer owner-key', 'judge Bearer owner-key'])
  expect(other.asked).toEqual(['judge Bearer other-key'])
})

test('[MODEL62] a model of a provider is opened once, and calls under one key share one limiter', async () => {
  const own = await providerOf('own', null)
  const gates: string[] = []
  const limiterFor = createLimiters(4, (id) => {
    gates.push(id)
    return ownRateGate(null)
  })
  const models = openModels([own], null, limiterFor, 4)
  const judge = models.open({ slug: 'judge', provider: 'own' })
  expect(models.open({ slug: 'judge', provider: 'own' })).toBe(judge)
  expect(models.open({ slug: 'model', provider: 'own' })).not.toBe(judge)
  expect(limiterFor(own, null, 'agent')).toBe(limiterFor(own, null, 'agent'))
  expect(limiterFor(own, 'k', 'run-owner')).not.toBe(limiterFor(own, null, 'agent'))
  expect(gates).toEqual(['own'])
  expect(() => models.open({ slug: 'judge', provider: 'nobody' })).toThrow(RangeError)
  await models.close()
})

test('[LIVE6] whoever asks a model may read its answers while they come, and no reading holds a key of the agent', async () => {
  const own = await providerOf('own', 'agent-key-0123456789')
  own.says = 'It is agent-key-0123456789!'
  const models = openModels(
    [own],
    null,
    createLimiters(4, () => ownRateGate(null)),
    4,
    { secrets: ['agent-token-0123456789'] },
  )
  const read: ReadAnswer[] = []
  const request = { messages: [{ role: 'user' as const, content: 'x' }], params }
  const model = models.open({ slug: 'model', provider: 'own' })
  const signal = new AbortController().signal
  await model.generate(
    request,
    signal,
    () => undefined,
    undefined,
    undefined,
    (one) => read.push(one),
  )
  expect(read.map((one) => one()().text)).toEqual(['It is [redacted]!'])
  expect(models.clean('agent-key-0123456789 agent-token-0123456789')).toBe('[redacted] [redacted]')
  await models.close()
})

test('[OBS4] calls, tokens, times and the limiter are measured by model, and a model nobody asks any more has no width', async () => {
  const own = await providerOf('own', null)
  const registry = createRegistry(namesOf(metricDefs))
  const meters = createCallMeters({ ...registry, log: () => undefined })
  const told = () => renderPrometheus(registry.read()).split('\n')
  const limiterFor = createLimiters(4, () => ownRateGate(null))
  const two = [1, 2].map(() => openModels([own], null, limiterFor, 4, { meters }))
  for (const models of two) expect(await ask(models.open({ slug: 'org/model', provider: 'own' }))).toMatchObject({ ok: true })
  const labels = 'provider="own",model="org/model"'
  expect(told()).toEqual(
    expect.arrayContaining([
      `bench_agent_calls_total{${labels},outcome="answer"} 2`,
      `bench_agent_call_seconds_count{${labels}} 2`,
      `bench_agent_first_token_seconds_count{${labels}} 2`,
      `bench_agent_limiter_width{${labels}} 4`,
      `bench_agent_calls_in_flight{${labels}} 0`,
      `bench_agent_circuits_open{${labels}} 0`,
    ]),
  )
  expect(told().join()).not.toContain('bench_agent_tokens_total{') // the provider told no usage: unknown, not zero
  await two[0]!.close()
  expect(told()).toContain(`bench_agent_limiter_width{${labels}} 4`)
  await two[1]!.close()
  expect(told().join()).not.toContain('bench_agent_limiter_width{')
})
