import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createAdaptiveLimiter } from '#fleet/model/adaptive-limiter.ts'
import { createGenerate, type ModelCall, type RetryClock, retryClock } from '#fleet/model/generate.ts'
import { createModelClient, defaultTimeouts } from '#fleet/model/model-client.ts'
import { haltingReasons } from '#shared/contract/failure.ts'
import { addUsage, noUsage } from '#shared/contract/usage.ts'
import type { FaultRule } from './fault.ts'
import type { LedgerEntry } from './ledger.ts'
import { type Provider, type ProviderOptions, startProvider } from './provider.ts'

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const thing of opened.splice(0).reverse()) await thing.close()
})

const params = { temperature: null, top_p: null, max_tokens: null, stop: null, seed: null, reasoning_effort: null }
const strike = (fault: FaultRule['fault'], rule: Partial<FaultRule> = {}): FaultRule => ({ fault, from: 1, to: null, share: 1, ...rule })

async function setup(options: ProviderOptions, signal: AbortSignal | null = null, connections = 4) {
  const provider: Provider = await startProvider(options)
  const client = createModelClient({
    baseUrl: provider.url,
    apiKey: 'k',
    model: 'm',
    kind: 'openai',
    connections,
    timeouts: defaultTimeouts,
  })
  opened.push(provider, client)
  const calls: ModelCall[] = []
  const waits: number[] = []
  // Waits are counted, not slept.
  const clock: RetryClock = {
    now: () => performance.now(),
    random: () => 0,
    async wait(ms) {
      waits.push(ms)
      signal?.throwIfAborted()
    },
  }
  const limiter = createAdaptiveLimiter({ max: connections })
  const generate = createGenerate({ client, limiter, signal, clock, onCall: (call) => calls.push(call) })
  return {
    provider,
    generate,
    limiter,
    calls,
    waits,
    ask: (content = 'Which?') => generate({ messages: [{ role: 'user', content }], params }),
  }
}

test('[FAIL11] a failure that may pass is tried again after its wait, and every call is reported', async () => {
  const { ask, calls, waits, provider } = await setup({
    script: [strike({ kind: 'status', status: 500 }, { to: 1 }), strike({ kind: 'cut', after_bytes: 300, how: 'end' }, { to: 2 })],
  })
  expect(await ask()).toMatchObject({ ok: true, value: { text: 'The answer is (A)', usage_known: true } })
  expect(calls).toMatchObject([
    { attempt: 1, result: 'server-error', usage: noUsage },
    { attempt: 2, result: 'cut-stream', usage: null },
    { attempt: 3, result: 'answer', usage: { output_tokens: 5 } },
  ])
  expect(waits).toEqual([500, 1000])
  expect(provider.ledger.entries).toHaveLength(3)
})

test('[FAIL11] after five attempts the last failure stands', async () => {
  const { ask, provider } = await setup({
    script: [strike({ kind: 'status', status: 500 }, { to: 4 }), strike({ kind: 'html', status: 502 })],
  })
  expect(await ask()).toMatchObject({ ok: false, failure: { reason: 'overloaded', retryable: true } })
  expect(provider.ledger.entries).toHaveLength(5)
})

test('[FAIL3] halting failures and bad requests surface after exactly one call', async () => {
  const statuses = {
    401: 'unauthorized',
    402: 'payment-required',
    403: 'forbidden',
    404: 'not-found',
    400: 'bad-request',
    413: 'too-large',
  } as const
  for (const [status, reason] of Object.entries(statuses)) {
    const body = JSON.stringify({ detail: { quota_reset_timestamp: 1_795_305_600 } })
    const { ask, calls, waits, provider } = await setup({ script: [strike({ kind: 'status', status: Number(status), body })] })
    expect(await ask()).toMatchObject({ ok: false, failure: { reason, retryable: false } })
    expect(provider.ledger.entries).toHaveLength(1)
    expect(waits).toEqual([])
    expect(calls[0]?.reset_at).toBe(status === '402' ? '2026-11-22T00:00:00.000Z' : null)
  }
  expect(haltingReasons.every((reason) => Object.values<string>(statuses).includes(reason))).toBe(true)
})

test('[FAIL12] an answer is an answer: wrong, cut by its length or rambling, it is never asked for again', async () => {
  for (const finish_reason of ['stop', 'length', 'tool_calls', 'odd']) {
    const { ask, provider } = await setup({ answer: () => ({ text: 'I do not know', finish_reason }) })
    expect(await ask()).toMatchObject({ ok: true, value: { text: 'I do not know', finish_reason } })
    expect(provider.ledger.entries).toHaveLength(1)
  }
})

test('[FAIL13] a dropped trial gives up its call and its waits with the reason it was dropped for, and frees its place', async () => {
  const abort = new AbortController()
  const reason = new Error('lease lost')
  const answer = () => {
    abort.abort(reason)
    return { text: 'A' }
  }
  const dropped = await setup({ answer, script: [strike({ kind: 'hang', when: 'headers' })] }, abort.signal)
  await expect(dropped.ask()).rejects.toBe(reason)
  expect(dropped.calls).toMatchObject([{ attempt: 1, result: 'canceled', usage: null }])
  expect(dropped.limiter.snapshot()).toMatchObject({ limiter: { in_flight: 0 }, breaker: { state: 'closed', failures: 0 } })
  const later = new AbortController()
  const wait = retryClock.wait(600_000, later.signal)
  later.abort(reason)
  await expect(wait).rejects.toBe(reason)
})

test('[FAIL14] whatever goes wrong, the ledger of the provider equals the calls and usage counted here', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'ledger-'))
  opened.push({ close: () => rm(dir, { recursive: true }) })
  const file = join(dir, 'ledger.jsonl')
  const script = [
    strike({ kind: 'status', status: 429, headers: { 'retry-after': '0' } }, { share: 0.05 }),
    strike({ kind: 'status', status: 503 }, { share: 0.05 }),
    strike({ kind: 'cut', after_bytes: 260, how: 'destroy' }, { share: 0.05 }),
    strike({ kind: 'cut', after_bytes: 10, how: 'end' }, { share: 0.05 }),
    strike({ kind: 'error-in-200', framed: false, error: 'x', after_bytes: 0 }, { share: 0.05 }),
    strike({ kind: 'garbage', bytes: 700 }, { share: 0.03 }),
  ]
  const answer = (prompt: string) => ({ text: `answer to ${prompt}` })
  const { generate, calls, provider } = await setup({ script, usage: 'every', ledger_file: file, answer }, null, 32)
  const outcomes = await Promise.all(
    Array.from({ length: 2000 }, (_, item) => generate({ messages: [{ role: 'user', content: `item ${item}` }], params })),
  )
  for (const [item, outcome] of outcomes.entries()) if (outcome.ok) expect(outcome.value.text).toBe(`answer to item ${item}`)
  const counted = calls.reduce((sum, call) => addUsage(sum, call.usage ?? noUsage), noUsage)
  const billed = (key: 'input_tokens' | 'output_tokens') => provider.ledger.entries.reduce((sum, entry) => sum + entry[key], 0)
  expect(provider.ledger.entries).toHaveLength(calls.length)
  expect([counted.input_tokens, counted.output_tokens]).toEqual([billed('input_tokens'), billed('output_tokens')])
  expect(calls.length).toBeGreaterThan(2300)
  provider.ledger.flush()
  const written: LedgerEntry[] = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(written).toEqual(provider.ledger.entries)
})
