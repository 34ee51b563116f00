import { expect, test } from 'vitest'
import { asAdmin, openApp } from '../testing/call-app.ts'
import { exampleEnded, exampleSpec, exampleTrials } from '../testing/example-records.ts'
import { endWithAnswer } from './bound-cost.ts'
import { bounds } from './cost.ts'

/** A public run whose searches are answered only when `answer` is called. */
function slowApp() {
  const app = openApp()
  const spec = exampleSpec({ visibility: 'public' })
  app.record.runs.set(spec.run_id, exampleEnded(spec))
  app.record.trials.set(spec.run_id, exampleTrials())
  const gate = Promise.withResolvers<void>()
  const { listItems } = app.deps.store
  let most = 0
  let running = 0
  app.deps.store = {
    ...app.deps.store,
    async listItems(...given) {
      most = Math.max(most, ++running)
      await gate.promise
      running--
      return listItems(...given)
    },
  }
  const search = (address: string, headers: Record<string, string> = {}) =>
    app.call('GET', `/api/runs/${spec.run_id}/items?q=x`, { headers: { 'cf-connecting-ip': address, ...headers } })
  return { ...app, search, answer: () => gate.resolve(), most: () => most }
}

test('[ACC11] of searches at once only so many go on; the rest are told when to come again, and what is cheap is answered meanwhile', async () => {
  const { search, call, answer, most } = slowApp()
  const { at_once, waiting, retry_after_s } = bounds.search.strangers
  const searches = Array.from({ length: 40 }, (_, at) => search(`198.51.100.${at % 4}`))
  const early = await Promise.race(searches)
  expect([early.status, early.headers.get('retry-after')]).toEqual([429, String(retry_after_s)])
  expect(early.headers.get('ratelimit-limit')).toBe(String(at_once.each))
  expect(early.headers.get('ratelimit-remaining')).toBe('0')
  expect(Number(early.headers.get('ratelimit-reset'))).toBeGreaterThan(0)
  expect((await call('GET', '/api/status')).status).toBe(200)
  answer()
  const statuses = (await Promise.all(searches)).map((response) => response.status)
  expect(most()).toBe(at_once.all)
  expect(statuses.filter((status) => status === 200).length).toBe(at_once.all + waiting.all)
  expect((await search('198.51.100.1')).status).toBe(200)
})

test('[ACC11] however many strangers come, members have turns of their own', async () => {
  const { search, answer } = slowApp()
  const strangers = Array.from({ length: 60 }, (_, at) => search(`198.51.100.${at}`))
  const member = search('198.51.100.1', asAdmin)
  answer()
  expect((await member).status).toBe(200)
  expect((await Promise.all(strangers)).some((response) => response.status === 429)).toBe(true)
})

test('[ACC12] a turn at something heavy ends with the last byte of its answer, or when the reader is gone, and not before', async () => {
  let ended = 0
  const turn = { end: () => void ended++ }
  const pieces = (count: number) =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        if (count-- > 0) controller.enqueue(new Uint8Array(10))
        else controller.close()
      },
    })
  const download = (body: BodyInit | null, length?: number) =>
    new Response(body, {
      headers: { 'content-disposition': 'attachment', ...(length !== undefined && { 'content-length': String(length) }) },
    })
  const whole = endWithAnswer(download(pieces(200_000), 2_000_000), turn)
  expect([ended, whole.headers.get('content-length')]).toEqual([0, '2000000'])
  expect((await whole.arrayBuffer()).byteLength).toBe(2_000_000)
  expect(ended).toBe(1)
  await endWithAnswer(download(pieces(1000)), turn).body!.cancel()
  expect(ended).toBe(2)
  const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('away')) })
  await expect(endWithAnswer(download(broken), turn).arrayBuffer()).rejects.toThrow()
  expect(ended).toBe(3)
  for (const [at, short] of [
    new Response(null, { status: 304 }),
    Response.json({ valid: true }),
    download('x'.repeat(100), 100),
  ].entries()) {
    expect(endWithAnswer(short, turn)).toBe(short)
    expect(ended).toBe(4 + at)
  }
})
