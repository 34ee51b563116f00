import { createServer } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { CallAborted } from '#fleet/model/call-result.ts'
import { createModelClient, defaultTimeouts } from '#fleet/model/model-client.ts'
import { createBench } from './client-bench.ts'
import type { Fault } from './fault.ts'
import { startProvider } from './provider.ts'

const { ask, clientOf, closeAll, key, open, provider, reasonFor, tcp, withFault } = createBench()
afterEach(closeAll)

test('[MODEL13] a request streams, asks for usage, carries the key and only the parameters that are set', async () => {
  const seen: { url?: string; headers: Record<string, unknown>; body: unknown }[] = []
  const port = await tcp(
    createServer((req, res) => {
      let text = ''
      req.on('data', (chunk) => {
        text += chunk
      })
      req.on('end', () => {
        seen.push({ url: req.url, headers: req.headers, body: JSON.parse(text) })
        res.end('data: {"choices":[{"delta":{"content":"A"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n')
      })
    }),
  )
  const client = createModelClient({
    baseUrl: `http://127.0.0.1:${port}/openai/v1/?api-version=2`,
    apiKey: key,
    model: 'org/"model"',
    kind: 'openai',
    connections: 1,
    timeouts: defaultTimeouts,
    headers: { 'X-TEE-Only': { shown: 'true' } },
  })
  open(client)
  expect(await ask(client, 'é\n"q"')).toMatchObject({ ok: true, value: { text: 'A' } })
  expect(seen).toHaveLength(1)
  expect(seen[0]?.url).toBe('/openai/v1/chat/completions?api-version=2')
  expect(seen[0]?.headers).toMatchObject({ authorization: `Bearer ${key}`, 'x-tee-only': 'true', 'content-type': 'application/json' })
  expect(seen[0]?.headers).not.toHaveProperty('accept-encoding')
  expect(seen[0]?.body).toEqual({
    model: 'org/"model"',
    stream: true,
    stream_options: { include_usage: true },
    temperature: 0,
    max_tokens: 64,
    messages: [{ role: 'user', content: 'é\n"q"' }],
  })
})

test('[MODEL13] base URLs that are no plain http or https, or hold credentials, are refused', () => {
  const options = { apiKey: null, model: 'm', kind: 'openai' as const, connections: 1, timeouts: defaultTimeouts }
  for (const baseUrl of ['file:///etc/passwd', 'ftp://x', 'http://user:pass@127.0.0.1/v1', 'not a url']) {
    expect(() => createModelClient({ ...options, baseUrl })).toThrow(TypeError)
  }
})

const statuses = [
  [400, 'bad-request', false],
  [401, 'unauthorized', false],
  [402, 'payment-required', false],
  [403, 'forbidden', false],
  [404, 'not-found', false],
  [408, 'total-timeout', true],
  [413, 'too-large', false],
  [422, 'bad-request', false],
  [426, 'forbidden', false],
  [429, 'rate-limited', true],
  [500, 'server-error', true],
  [502, 'overloaded', true],
  [503, 'overloaded', true],
  [504, 'total-timeout', true],
  [529, 'overloaded', true],
] as const

test.each(statuses)('[MODEL14] status %d is %s (retryable: %s), whatever its body says', async (status, reason, retryable) => {
  const bodies = [
    `{"detail":"rate limit, unauthorized, context length ${key}"}`,
    '<html>Bad gateway</html>',
    '',
    '{"error":{"code":429}}',
    'null',
  ]
  const { url } = await provider({
    script: bodies.map((body, index) => ({ fault: { kind: 'status', status, body }, from: index + 1, to: index + 1, share: 1 })),
  })
  const client = clientOf(url)
  for (const _ of bodies) {
    const result = await ask(client)
    expect(result).toMatchObject({ ok: false, failure: { at: 'provider', reason, retryable, status }, reset_at: null })
    expect(JSON.stringify(result)).not.toContain('secret')
  }
})

test('[MODEL14] a context too long and a filtered prompt are told by the code of a 400', async () => {
  const status = (body: object) => reasonFor({ kind: 'status', status: 400, body: JSON.stringify(body) })
  expect(await status({ error: { code: 'context_length_exceeded', message: 'x' } })).toBe('context-length')
  expect(await status({ detail: { code: 'context_length_exceeded' } })).toBe('context-length')
  expect(await status({ error: { code: 'content_filter' } })).toBe('content-filter')
  expect(await status({ error: { message: 'temperature must be non-negative' } })).toBe('bad-request')
})

test('[MODEL14] the wait and the quota reset that a provider names are handed on', async () => {
  const of = async (status: number, detail: unknown, headers: Record<string, string> = {}) =>
    (await withFault({ kind: 'status', status, body: JSON.stringify({ detail }), headers })).result
  expect(await of(429, 'x', { 'retry-after': '3' })).toMatchObject({ retry_after_ms: 3000 })
  expect(await of(503, 'x', { 'retry-after-ms': '40' })).toMatchObject({ retry_after_ms: 40 })
  expect(await of(429, 'x')).toMatchObject({ retry_after_ms: null })
  const reset_at = '2026-11-22T00:00:00.000Z'
  for (const stamp of [reset_at, Date.parse(reset_at) / 1000, Date.parse(reset_at), String(Date.parse(reset_at) / 1000)]) {
    expect(await of(402, { message: 'x', quota_reset_timestamp: stamp })).toMatchObject({ reset_at })
  }
  expect(await of(402, { quota_reset_timestamp: 'soon' })).toMatchObject({ reset_at: null })
  expect(await of(402, 'balance exhausted')).toMatchObject({ reset_at: null })
})

test('[MODEL16] redirects are not followed, so the key meets no other host', async () => {
  const canary = await provider()
  for (const status of [301, 302, 303, 307, 308]) {
    const { result } = await withFault({ kind: 'redirect', location: `${canary.url}/chat/completions`, status })
    expect(result).toMatchObject({ ok: false, failure: { reason: 'bad-response', retryable: false, status } })
  }
  expect(canary.ledger.entries).toEqual([])
})

test('[MODEL17] refused, unresolvable and broken connections are connection failures; bytes that are no HTTP a bad response', async () => {
  const closed = await startProvider()
  await closed.close()
  const plain = await provider()
  const of = async (url: string): Promise<string> => {
    const result = await ask(clientOf(url))
    return result.ok ? 'answer' : result.failure.reason
  }
  expect(await of(closed.url)).toBe('connection')
  expect(await of('http://host.invalid/v1')).toBe('connection')
  expect(await of(plain.url.replace('http:', 'https:'))).toBe('connection')
  expect(await reasonFor({ kind: 'raw', bytes: '' })).toBe('connection')
  expect(await reasonFor({ kind: 'raw', bytes: 'SSH-2.0-OpenSSH\r\n\r\n' })).toBe('bad-response')
})

const strange: [string, Fault][] = [
  ['bad-response', { kind: 'html', status: 200 }],
  ['bad-response', { kind: 'garbage', bytes: 4096 }],
  ['bad-response', { kind: 'gzip' }],
  ['bad-response', { kind: 'status', status: 204 }],
  ['too-large', { kind: 'big-header', bytes: 1_048_576 }],
  ['too-large', { kind: 'endless' }],
  ['overloaded', { kind: 'html', status: 502 }],
  ['cut-stream', { kind: 'body', body: '', content_type: 'text/event-stream' }],
  ['server-error', { kind: 'error-in-200', framed: true, error: { message: 'x' }, after_bytes: 0 }],
  ['server-error', { kind: 'error-in-200', framed: false, error: 'upstream failed', after_bytes: 0 }],
  ['rate-limited', { kind: 'error-in-200', framed: true, error: { code: 429 }, after_bytes: 0 }],
]

test.each(strange)('[MODEL18] strange bodies end in a named reason: %s for %o', async (reason, fault) => {
  expect(await reasonFor(fault)).toBe(reason)
})

test('[MODEL18] an unframed error behind half an answer fails the call', async () => {
  const body = `data: {"choices":[{"delta":{"content":"half"}}]}\n\n{"error":"upstream died"}`
  const { result } = await withFault({ kind: 'body', body, content_type: 'text/event-stream' })
  expect(result).toMatchObject({ ok: false, failure: { reason: 'server-error', status: 200 } })
})

test('[MODEL9] over the wire too, a stream cut after any byte is a cut stream or the whole answer', async () => {
  const text = 'wörd 🦜 "quoted" \\ '.repeat(24)
  const reply = () => ({ text })
  const whole = await provider({ answer: reply, chunk_chars: 24 })
  const sample = await ask(clientOf(whole.url))
  expect(sample).toMatchObject({ ok: true, value: { text } })
  const cuts = 4096
  const script = Array.from({ length: cuts }, (_, bytes) => ({
    fault: { kind: 'cut' as const, after_bytes: bytes, how: bytes % 2 ? ('destroy' as const) : ('end' as const) },
    from: bytes + 1,
    to: bytes + 1,
    share: 1,
  }))
  const { url, ledger } = await provider({ answer: reply, chunk_chars: 24, script })
  const client = clientOf(url, {}, 16)
  const results: string[] = []
  const worker = async (count: number): Promise<void> => {
    for (let call = 0; call < count; call += 1) {
      const result = await ask(client)
      if (result.ok) expect(result.value.text).toBe(text)
      results.push(result.ok ? 'whole' : result.failure.reason)
    }
  }
  await Promise.all(Array.from({ length: 16 }, () => worker(cuts / 16)))
  expect(results).toHaveLength(cuts)
  expect(ledger.entries).toHaveLength(cuts)
  expect(results.every((result) => ['cut-stream', 'connection', 'whole'].includes(result))).toBe(true)
  expect(results.filter((result) => result === 'cut-stream').length).toBeGreaterThan(3500)
})

test('[MODEL19] an aborted call rejects at once and its connection is closed', async () => {
  const abort = new AbortController()
  const reason = new Error('lease lost')
  const { url, ledger } = await provider({
    script: [{ fault: { kind: 'hang', when: 'headers' }, from: 1, to: null, share: 1 }],
    answer: () => {
      abort.abort(reason)
      return { text: 'A' }
    },
  })
  const client = clientOf(url)
  const error = await ask(client, 'Which?', abort.signal).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(CallAborted)
  expect(error).toMatchObject({ cause: reason, usage: null })
  while (ledger.entries.length === 0) await new Promise((resolve) => setImmediate(resolve))
  expect(ledger.entries).toMatchObject([{ id: 1, fault: 'hang', output_tokens: 0 }])
  await expect(ask(client, 'Which?', AbortSignal.abort(reason))).rejects.toMatchObject({ cause: reason, usage: null })
  expect(ledger.entries).toHaveLength(1)
})

test('[MODEL20] a stream left open after [DONE] is answered at once', async () => {
  const port = await tcp(
    createServer((_, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' })
      res.write('data: {"choices":[{"delta":{"content":"A"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n')
    }),
  )
  expect(await ask(clientOf(`http://127.0.0.1:${port}/v1`))).toMatchObject({ ok: true, value: { text: 'A' } })
})

test('[MODEL21] of 10,000 concurrent calls every one gets its own answer, on reused connections', async () => {
  const { url, ledger } = await provider({ answer: (prompt) => ({ text: `answer to ${prompt}`, reasoning: 'r' }) })
  const client = clientOf(url, {}, 64)
  let next = 0
  let mixed = 0
  const worker = async (): Promise<void> => {
    while (next < 10_000) {
      const prompt = `prompt ${next}`
      next += 1
      const result = await ask(client, prompt)
      if (!result.ok || result.value.text !== `answer to ${prompt}`) mixed += 1
    }
  }
  await Promise.all(Array.from({ length: 64 }, worker))
  expect(mixed).toBe(0)
  expect(ledger.entries).toHaveLength(10_000)
})

test('[MODEL12] over the wire a dripped answer has its first token before its end', async () => {
  const { url } = await provider({ mode: 'drip', drip_ms: 5, answer: () => ({ text: 'x'.repeat(100) }) })
  const result = await ask(clientOf(url))
  if (!result.ok) throw new Error(result.failure.reason)
  const { ttft_ms, latency_ms, max_gap_ms } = result.value
  expect(ttft_ms).toBeGreaterThan(0)
  expect(latency_ms).toBeGreaterThan(ttft_ms ?? 0)
  expect(max_gap_ms).toBeGreaterThan(0)
})

const dialects: Extract<Fault, { kind: 'dialect' }>['dialect'][] = [
  { usage: 'x_groq', trailing: 'silence', reasoning: 'part, Mistral', text: 'parts' },
  { tools: 'index always 0', repeat: 'all in a message', framing: 'events, CRLF', heartbeat: 'event: ping, a word', finish: 'TOOL_USE' },
  { tools: 'arguments an object', framing: 'body', trailing: 'silence', usage: 'Anthropic, cache beside the input' },
  { tools: 'function_call', framing: 'JSON lines', trailing: 'broken off', usage: 'with the finish reason' },
]

test.each(dialects)('[MODEL315] the simulated provider speaks dialects, and the client reads each as one shape: %j', async (dialect) => {
  const call = { id: dialect.tools === 'function_call' ? null : 'call_1', name: 'f', arguments: '{"a":[1,"}"]}' }
  const said = { text: 'I think. The answer is (A).', reasoning: 'Or is it (B)?', calls: dialect.tools ? [call] : [] }
  const { result, ledger } = await withFault({ kind: 'dialect', dialect }, { idleMs: 300 }, { answer: () => said })
  expect(result).toMatchObject({
    ok: true,
    value: {
      text: said.text,
      reasoning: said.reasoning,
      tool_calls: said.calls,
      finish_reason: dialect.tools === 'index always 0' ? 'tool_calls' : 'stop',
    },
  })
  const [billed] = ledger.entries
  expect(result.ok && result.value.usage).toMatchObject({ input_tokens: billed!.input_tokens, output_tokens: billed!.output_tokens })
})

test('[MODEL315] a simulated error in the middle of an answer fails the call', async () => {
  expect(await reasonFor({ kind: 'dialect', dialect: { error: 'event: error' } })).toBe('server-error')
})
