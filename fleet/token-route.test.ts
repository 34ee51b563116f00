import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import type { KeyedProvider } from '#shared/providers/provider.ts'
import { ownRateGate } from './model/rate-gate.ts'
import { openEndpoints } from './open-endpoints.ts'
import { createLimiters, openModels } from './open-models.ts'
import { withTokenRoute } from './provider.ts'

const params = { temperature: 0, top_p: null, max_tokens: 8, stop: null, seed: null, reasoning_effort: null }
const request = { messages: [{ role: 'user' as const, content: 'x' }], params }
const signal = new AbortController().signal
const gate = () => ownRateGate(null)
const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

type Seen = { at: string; host: string | undefined; authorization: string | undefined }

/** A server that answers every question and keeps under which names and with which key it was asked. */
async function listening(): Promise<{ base_url: string; place: string; seen: Seen[] }> {
  const seen: Seen[] = []
  const server = createServer((req, res) => {
    seen.push({ at: `${req.method} ${req.url}`, host: req.headers.host, authorization: req.headers.authorization })
    req.resume()
    if (req.method === 'GET') return res.end(JSON.stringify({ data: [{ id: 'org/one', max_model_len: 4096 }] }))
    const choices = [{ delta: { content: 'A' }, finish_reason: 'stop' }]
    res.end(`data: ${JSON.stringify({ choices })}\n\ndata: [DONE]\n\n`)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const place = `127.0.0.1:${(server.address() as AddressInfo).port}` // a listening TCP server has an address record
  return { base_url: `http://${place}/v1`, place, seen }
}

const chutesAt = (base_url: string): KeyedProvider => ({
  ...{ id: 'chutes', label: 'Chutes', kind: 'chutes', base_url, models: [], api_key: null },
})

/** Asks the model once, and its address for the list of its models. */
async function askAll(providers: readonly KeyedProvider[], key: string): Promise<void> {
  const own = { provider: 'chutes', api_key: () => key }
  const limiterFor = createLimiters(4, gate)
  const models = openModels(providers, own, limiterFor, 4)
  const named = { slug: 'org/one', provider: 'chutes' }
  expect(await models.open(named).generate(request, signal, () => undefined)).toMatchObject({ ok: true, value: { text: 'A' } })
  await models.close()
  const endpoints = openEndpoints(providers, own, limiterFor, { place: async () => () => undefined })
  expect((await endpoints.probe(named, request, signal)).result.ok).toBe(true)
  expect((await endpoints.list(named, signal)).map(({ id }) => id)).toEqual(['org/one'])
}

test('[SIGN16] access tokens go to the proxy of the identity provider under the Host that is set, keys to Chutes; lists are read without a token', async () => {
  const [chutes, idp] = [await listening(), await listening()]
  const providers = withTokenRoute([chutesAt(chutes.base_url)], { base_url: idp.base_url, host: 'llm.chutes.ai' })
  await askAll(providers, 'cak_token')
  const question = { at: 'POST /v1/chat/completions', host: 'llm.chutes.ai', authorization: 'Bearer cak_token' }
  expect(idp.seen).toEqual([question, question])
  expect(chutes.seen).toEqual([{ at: 'GET /v1/models', host: chutes.place, authorization: undefined }])
  chutes.seen.length = 0
  await askAll(providers, 'cpk_key')
  expect(idp.seen).toHaveLength(2)
  expect(new Set(chutes.seen.map(({ host, authorization }) => `${host} ${authorization}`))).toEqual(
    new Set([`${chutes.place} Bearer cpk_key`]),
  )
})

test('[SIGN16] without an address of its own a token goes where keys of Chutes go; no other kind of provider has one', async () => {
  const chutes = await listening()
  const elsewhere = { base_url: 'http://127.0.0.1:9/v1', host: null }
  await askAll(withTokenRoute([chutesAt(chutes.base_url)], null), 'cak_token')
  expect(chutes.seen.map(({ at, authorization }) => [at, authorization])).toEqual([
    ['POST /v1/chat/completions', 'Bearer cak_token'],
    ['POST /v1/chat/completions', 'Bearer cak_token'],
    ['GET /v1/models', undefined],
  ])
  const other: KeyedProvider = { ...chutesAt(chutes.base_url), kind: 'openai' }
  expect(withTokenRoute([other], elsewhere)).toEqual([other])
})
