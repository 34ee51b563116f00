import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import type { KeyedProvider } from '#shared/providers/provider.ts'
import { ownRateGate } from './model/rate-gate.ts'
import { createLimiters, openModels } from './open-models.ts'

const params = { temperature: 0, top_p: null, max_tokens: 8, stop: null, seed: null, reasoning_effort: null }
const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** A provider on loopback that answers everything and keeps by whom and for which model it was asked. */
async function providerOf(id: string, api_key: string | null): Promise<KeyedProvider & { asked: string[] }> {
  const asked: string[] = []
  const server = createServer((req, res) => {
    let text = ''
    req.on('data', (chunk) => (text += chunk))
    req.on('end', () => {
      asked.push(`${JSON.parse(text).model} ${req.headers.authorization ?? 'nobody'}`)
      res.end('data: {"choices":[{"delta":{"content":"A"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n')
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a listening TCP server has an address record
  return { id, label: id, kind: 'openai', base_url: `http://127.0.0.1:${port}/v1`, models: [], api_key, asked }
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
