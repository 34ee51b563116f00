import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { type KeyedProvider, type ProviderKind, providerKinds } from '#shared/providers/provider.ts'
import { listModels } from './list-models.ts'
import { createModelClient, defaultTimeouts, endpointOf } from './model-client.ts'
import { readUsage, usageTold } from './read-usage.ts'
import type { ModelRequest } from './request-body.ts'

const password = 'sesame-open-0123456789'
const params = { temperature: 0, top_p: null, max_tokens: 64, stop: null, seed: null, reasoning_effort: null }
const ask: ModelRequest = { params, messages: [{ role: 'user', content: 'Which?' }] }

type Said = { status?: number; headers?: Record<string, string>; body: string }

/** A server that says one thing to every question, and a client of it as a provider of this kind. */
async function openServer(kind: ProviderKind, said: Said, more: Partial<KeyedProvider> = {}) {
  const asked: { url: string | undefined; headers: IncomingHttpHeaders; body: string }[] = []
  const server = createServer(async (req, res) => {
    let body = ''
    for await (const chunk of req) body += String(chunk)
    asked.push({ url: req.url, headers: req.headers, body })
    res.writeHead(said.status ?? 200, { 'content-type': 'text/event-stream', ...said.headers }).end(said.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a listening TCP server has an address record
  const provider: KeyedProvider = {
    id: 'box',
    label: 'Box',
    kind,
    base_url: `http://127.0.0.1:${port}/v1`,
    models: [],
    api_key: null,
    ...more,
  }
  const client = createModelClient({ ...endpointOf(provider), apiKey: null, model: 'm', connections: 1, timeouts: defaultTimeouts })
  return {
    ...{ asked, provider, client },
    async [Symbol.asyncDispose]() {
      await client.close()
      server.close()
    },
  }
}

const events = (...chunks: object[]): string => `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`
const delta = (fields: object, finish_reason: string | null = null) => ({ choices: [{ index: 0, delta: fields, finish_reason }] })
const usage = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 }

test('[PROV23] secret headers go with questions and with the list, and are in no answer and no failure', async () => {
  const body = events(delta({ content: `You sent ${password} and bench.` }, 'stop'))
  const headers = { 'X-PreReleasePassword': password, 'X-Title': { shown: 'bench' } }
  await using server = await openServer('janus', { body }, { headers })
  const { asked, client, provider } = server
  expect(await client.call(ask, null)).toMatchObject({ ok: true, value: { redacted: true, text: expect.not.stringContaining(password) } })
  await listModels(provider, null, fetch, AbortSignal.timeout(5000)).catch(() => undefined)
  expect(asked.map((one) => [one.url, one.headers['x-prereleasepassword'], one.headers['x-title']])).toEqual([
    ['/v1/chat/completions', password, 'bench'],
    ['/v1/models', password, 'bench'],
  ])
  await using refusing = await openServer('janus', { status: 401, body: `{"error":"wrong: ${password}"}` }, { headers })
  const refused = await refusing.client.call(ask, null)
  expect(refused).toMatchObject({ ok: false, failure: { reason: 'unauthorized', detail: expect.stringContaining('wrong:') } })
  expect(JSON.stringify(refused)).not.toContain(password)
})

const artifact = {
  ...{ id: 'a1', type: 'image', mime_type: 'image/png', display_name: 'plot.png', size_bytes: 12, sha256: 'f'.repeat(64) },
  ...{ url: '/artifacts/plot.png', ttl_seconds: 3600 },
}

test('[PROV26] ids, events, artifacts, dollars and seconds of a Janus Gateway are kept beside its answer', async () => {
  const body = events(
    delta({ role: 'assistant', janus: { event: 'sandbox_start', payload: {} } }),
    delta({ reasoning_content: 'Collecting.', janus: { event: 'tool_start', payload: { name: 'search' } } }),
    delta({ janus: { event: 'tool_start', payload: {} } }),
    delta({
      janus: { event: 'artifacts', payload: { items: [{ ...artifact, created_at: '2026-01-01T00:00:00Z', size_bytes: -1 }, 'odd'] } },
    }),
    delta({ janus: { event: 'artifacts', payload: { items: [artifact] } } }),
    delta({ content: 'Done.', janus: 'odd' }, 'stop'),
    { choices: [], usage: { ...usage, cost_usd: 0.02, sandbox_seconds: 3.5 } },
  )
  const ids = { 'X-Debug-Request-Id': 'debug-1', 'X-Correlation-ID': 'c-2', 'X-Request-Id': 'r-3', 'X-Other': 'x' }
  await using server = await openServer('janus', { body: `: ping\n\n${body}`, headers: ids })
  const { size_bytes: _, ...sizeless } = artifact
  expect(await server.client.call(ask, null)).toMatchObject({
    ok: true,
    value: {
      text: 'Done.',
      aside: {
        request_ids: { 'x-debug-request-id': 'debug-1', 'x-correlation-id': 'c-2', 'x-request-id': 'r-3' },
        ...{ cost_usd: 0.02, sandbox_seconds: 3.5, events: { sandbox_start: 1, tool_start: 2, artifacts: 2 } },
        artifacts: [sizeless, artifact],
      },
    },
  })
  await using plain = await openServer('openai', { body: events(delta({ content: 'A' }, 'stop')), headers: ids })
  expect(await plain.client.call(ask, null)).not.toHaveProperty('value.aside')
})

test('[PROV26] an error of a Janus Gateway is a failure that bears its ids; text under status 200 is an answer, whatever it says', async () => {
  const headers = { 'X-Request-Id': 'r-9' }
  const outcomeOf = async (said: Said) => {
    await using server = await openServer('janus', { headers, ...said })
    return await server.client.call(ask, null) // before the client closes
  }
  expect(await outcomeOf({ body: events({ error: { message: 'no agent', code: 502 } }) })).toMatchObject({
    failure: { reason: 'overloaded', detail: expect.stringContaining('(x-request-id: r-9)') },
  })
  expect(await outcomeOf({ body: events(delta({ content: 'oh' }), delta({}, 'error')) })).toMatchObject({
    failure: { reason: 'server-error' },
  })
  expect(await outcomeOf({ status: 500, body: '{"detail":"x"}' })).toMatchObject({
    failure: { detail: expect.stringMatching(/HTTP 500.*x-request-id: r-9/) },
  })
  expect(await outcomeOf({ body: events(delta({ content: 'Connection error: refused' }, 'stop')) })).toMatchObject({ ok: true })
})

test('[PROV25] a question that is too long is told for every kind of server, in an error under status 200 too', async () => {
  const error = {
    ...{ object: 'error', type: 'BadRequestError', param: null, code: 400 },
    message: "The input (70000 tokens) is longer than the model's context length (32768 tokens).",
  }
  const reasonAt = async (kind: ProviderKind, said: Said) => {
    await using server = await openServer(kind, said)
    const result = await server.client.call(ask, null)
    return result.ok ? 'answer' : [result.failure.reason, result.failure.retryable]
  }
  const { message } = error
  const said = [events({ error }), events({ error: message }), events({ error: { message } })]
  for (const kind of providerKinds) {
    for (const body of said) expect([kind, await reasonAt(kind, { body })]).toEqual([kind, ['context-length', false]])
    for (const status of [400, 422, 500])
      expect([kind, status, await reasonAt(kind, { status, body: JSON.stringify({ error }) })]).toEqual([
        kind,
        status,
        ['context-length', false],
      ])
  }
  const other = { ...error, message: 'max_tokens is too large: 99999. This model supports at most 4096 completion tokens.' }
  expect(await reasonAt('openai', { body: events({ error: other }) })).toEqual(['bad-request', false])
  const perMinute = { message: 'Request too large on tokens per minute (TPM): Limit 6000, Requested 8221', code: 'rate_limit_exceeded' }
  expect(await reasonAt('openai', { status: 413, body: JSON.stringify({ error: perMinute }) })).toEqual(['rate-limited', false])
  expect(await reasonAt('openai', { status: 413, body: '<h1>Too large</h1>' })).toEqual(['too-large', false])
  const loading = JSON.stringify({ error: { message: 'Loading model', type: 'unavailable_error', code: 503 } })
  expect(await reasonAt('llamacpp', { status: 503, body: loading })).toEqual(['overloaded', true])
  expect(await reasonAt('vllm', { body: events(delta({ content: 'half' }), delta({}, 'abort')) })).toEqual(['cut-stream', true])
})

test('[PROV27] tokens from a cache are read in each form in which servers tell them', () => {
  const counts = { prompt_tokens: 9, completion_tokens: 4 }
  const cachedIn = (told: object, timings?: object) => usageTold(readUsage({ ...counts, ...told }, timings), true)?.cached_tokens
  expect([
    cachedIn({ prompt_tokens_details: { cached_tokens: 5 } }, { cache_n: 7 }),
    cachedIn({ prompt_tokens_details: null }, { cache_n: 7, prompt_n: 2 }),
    cachedIn({ prompt_cache_hit_tokens: 6, prompt_cache_miss_tokens: 3 }),
    cachedIn({}, { cache_n: 700 }),
    cachedIn({}, { cache_n: -1 }),
  ]).toEqual([5, 7, 6, 9, 0])
})

test('[PROV15] a budget for reasoning goes into the field that the operator names', async () => {
  await using server = await openServer(
    'openai',
    { body: events(delta({ content: 'A' }, 'stop')) },
    { reasoning_budget_field: 'thinking_budget_tokens' },
  )
  await server.client.call({ ...ask, params: { ...params, reasoning_budget_tokens: 32 } }, null)
  expect(JSON.parse(server.asked[0]!.body)).toMatchObject({ thinking_budget_tokens: 32 })
})

test('[PROV28] a model that calls tools by its text is asked without tools in the body, and its calls come back as calls', async () => {
  const said = 'Let me look.\n```tool_call\n{"name":"look","arguments":{"at":"it"}}\n```'
  await using server = await openServer('llamacpp', { body: events(delta({ content: said }, 'stop'), { choices: [], usage }) })
  const tools = [{ name: 'look', description: 'Looks.', parameters: { type: 'object' } }]
  const result = await server.client.call({ ...ask, params: { ...params, tool_calling: 'text' }, tools, tool_choice: 'required' }, null)
  expect(result).toMatchObject({
    value: { text: 'Let me look.', finish_reason: 'tool_calls', tool_calls: [{ id: 'call_1', name: 'look', arguments: '{"at":"it"}' }] },
  })
  const body = JSON.parse(server.asked[0]!.body)
  expect([body.tools, body.tool_choice, body.tool_calling]).toEqual([undefined, undefined, undefined])
  expect(body.messages[0]).toMatchObject({ role: 'system', content: expect.stringContaining('"name":"look"') })
})
