import { spawn, spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test, vi } from 'vitest'
import { Fault, faultFor, spanMs } from './fault.ts'
import { startProvider } from './provider.ts'
import { createRateWindow } from './rate-window.ts'
import { trueGapMs, trueTokenGapMs, trueTtftMs } from './truth.ts'

const post = (url: string, content: string, headers: Record<string, string> = {}) =>
  fetch(`${url}/chat/completions`, { method: 'POST', headers, body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] }) })

test('[FAIL15] the simulated provider strikes the same requests for the same seed, in about the share asked for', () => {
  const script = [{ fault: { kind: 'endless' as const }, from: 101, to: 10_100, share: 0.25 }]
  const struck = (seed: number) => Array.from({ length: 10_200 }, (_, index) => index + 1).filter((id) => faultFor(script, id, seed))
  expect(struck(7)).toEqual(struck(7))
  expect(struck(7)).not.toEqual(struck(8))
  expect(struck(7).length).toBeGreaterThan(2300)
  expect(struck(7).length).toBeLessThan(2700)
  expect(struck(7).every((id) => id > 100 && id <= 10_100)).toBe(true)
})

test('[FAIL15] its rate window admits no more than its limit in any second of one key, and every other second of another', () => {
  const admit = createRateWindow(5)
  const admitted: number[] = []
  for (let now = 0; now < 10_000; now += 7) if (admit('a', now) === 0) admitted.push(now)
  for (const at of admitted) expect(admitted.filter((other) => other > at - 1000 && other <= at).length).toBeLessThanOrEqual(5)
  expect(admitted.length).toBeGreaterThanOrEqual(48)
  expect(admit('b', 9999)).toBe(0)
})

test('[FAIL15] it keeps account of every request: who, what, when, what it cost', async () => {
  const provider = await startProvider({ rate: { per_second: 1, retry_after: 'seconds' } })
  expect((await post(provider.url, 'hello', { authorization: 'Bearer k' })).status).toBe(200)
  const refused = await post(provider.url, 'hello', { authorization: 'Bearer k' })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
  expect((await post(provider.url, 'other')).status).toBe(200)
  const prompt_sha256 = hash('sha256', 'hello')
  const entries: unknown = await (await fetch(new URL('/_sim/ledger', provider.url))).json()
  expect(entries).toEqual(provider.ledger.entries)
  expect(entries).toMatchObject([
    { id: 1, prompt_sha256, keyed: true, status: 200, input_tokens: 2, output_tokens: 5 },
    { id: 2, prompt_sha256, keyed: true, status: 429, input_tokens: 0, output_tokens: 0 },
    { id: 3, keyed: false, status: 200 },
  ])
  for (const { started_ms, ended_ms } of provider.ledger.entries) expect(ended_ms).toBeGreaterThanOrEqual(started_ms)
  await provider.close()
})

test('[FAIL15] it runs as its own process, answers from recorded replies and takes a new script while it runs', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'provider-'))
  const replies = join(dir, 'replies.jsonl')
  writeFileSync(replies, `${JSON.stringify({ prompt_sha256: hash('sha256', 'known'), text: 'recorded' })}\n`)
  const main = new URL('./main.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [main, '--replies', replies, '--answer', 'fixed', '--ledger', join(dir, 'l.jsonl')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const { value: line } = await createInterface(child.stdout)[Symbol.asyncIterator]().next()
  const { url }: { url: string } = JSON.parse(String(line))
  expect(await (await post(url, 'known')).text()).toContain('recorded')
  expect(await (await post(url, 'unknown')).text()).toContain('fixed')
  const put = (body: unknown) => fetch(new URL('/_sim/script', url), { method: 'PUT', body: JSON.stringify(body) })
  expect((await put([{ fault: { kind: 'nonsense' } }])).status).toBe(422)
  expect((await put([{ fault: { kind: 'status', status: 418 } }])).status).toBe(200)
  expect((await post(url, 'known')).status).toBe(418)
  child.kill('SIGTERM')
  expect((await once(child, 'exit'))[0]).toBe(0)
  await rm(dir, { recursive: true })
})

test('[FAIL15] its log of truth says when each piece of an answer was sent, at the pace that was asked for, and how it ended', async () => {
  const paced = { kind: 'paced' as const, first_ms: [20, 30] as [number, number], gap_ms: 10, keep_alive_ms: 4 }
  const provider = await startProvider({
    truth: true,
    chunk_chars: 4,
    answer: () => ({ text: 'word'.repeat(3), reasoning: 'hm' }),
    seed: 3,
  })
  provider.setScript([
    { fault: paced, from: 1, to: 1, share: 1 },
    { fault: { kind: 'cut', after_bytes: 40, how: 'destroy' }, from: 2, to: 2, share: 1 },
  ])
  const text = await (await post(provider.url, 'paced')).text()
  expect(text).toMatch(/^: keep-alive\n\n[\s\S]*\[DONE\]\n\n$/)
  await post(provider.url, 'cut')
    .then((response) => response.text())
    .catch(() => undefined)
  await vi.waitFor(() => expect(provider.truths).toHaveLength(2))
  const [first, second] = provider.truths
  expect(first).toMatchObject({ id: 1, prompt_sha256: hash('sha256', 'paced'), fault: 'paced', status: 200, end: 'ended' })
  expect(first!.sent.map(({ tokens }) => tokens).filter((count) => count > 0)).toEqual([1, 1, 1, 1])
  expect(first!.sent.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(Buffer.byteLength(text))
  const moments = [first!.received_ms, first!.head_ms!, ...first!.sent.map(({ at_ms }) => at_ms), first!.ended_ms]
  expect(moments).toEqual(moments.toSorted((a, b) => a - b))
  // Timers never fire before their time, but for a rounded millisecond.
  expect(trueTtftMs(first!)).toBeGreaterThanOrEqual(19)
  expect(trueTokenGapMs(first!)).toBeGreaterThanOrEqual(9)
  expect(trueGapMs(first!)).toBeLessThanOrEqual(first!.ended_ms - first!.received_ms)
  expect(second).toMatchObject({ id: 2, fault: 'cut', end: 'broken-off', sent: [{ bytes: 40 }] })
  expect(spanMs([1, 200], 3, 7, 2)).toBe(spanMs([1, 200], 3, 7, 2))
  await provider.close()
})

test('[FAIL15] it says 402 with its reset time and any usage, and its help names every fault', async () => {
  const provider = await startProvider()
  const told = async (fault: Fault) => {
    provider.setScript([{ fault, from: 1, to: null, share: 1 }])
    const response = await post(provider.url, 'x')
    return { status: response.status, text: await response.text() }
  }
  const quota = await told({ kind: 'quota', reset_in_s: 60, form: 'seconds' })
  expect([quota.status, JSON.parse(quota.text).detail.quota_reset_timestamp]).toEqual([402, expect.any(Number)])
  const { text } = await told({ kind: 'usage', usage: { prompt_tokens: -1 } })
  expect(text).toMatch(/"usage":\{"prompt_tokens":-1\}\}\n\ndata: \[DONE\]\n\n$/)
  expect(text.match(/"usage"/g)).toHaveLength(1)
  expect(provider.ledger.entries.map(({ output_tokens }) => output_tokens)).toEqual([0, 0])
  await provider.close()
  const main = new URL('./main.ts', import.meta.url).pathname
  const help = spawnSync(process.execPath, [main, '--help'], { encoding: 'utf8' }).stdout
  for (const { shape } of Fault.options) expect(help).toContain(`{"kind":"${shape.kind.value}"`)
})
