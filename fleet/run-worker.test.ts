import { afterEach, expect, test, vi } from 'vitest'
import type { Failure } from '#shared/contract/failure.ts'
import { answeredEvidence } from '#shared/solvers/generate.ts'
import { createRunWorker } from './run-worker.ts'
import { planned, settled, startWorker } from './testing/start-worker.ts'

afterEach(() => vi.useRealTimers())

test('[AGENT9] never more trials are in flight than the agent has slots or the run allows', async () => {
  const { worker, coordinator, asked, reported } = startWorker(20, 4)
  await worker.start(coordinator)
  await settled()
  expect([asked.length, worker.running()]).toEqual([4, 4])
  worker.events.onState({ status: 'running', concurrency: 2, open: 10 })
  for (const each of asked.slice(0, 3)) each.answer()
  await settled()
  expect(worker.running()).toBe(2)
  expect(reported.map((record) => record.outcome)).toEqual(['right', 'right', 'right'])
  await worker.stop(0)
})

test("[RUN49] when the judge's provider refuses everything, what was answered is reported and the run is halted", async () => {
  const refusing = {
    ok: false as const,
    failure: { at: 'judge', reason: 'forbidden', retryable: false, status: 403, detail: '' } as Failure,
  }
  const { worker, coordinator, asked, reported, released, halted } = startWorker(3, 1, async (item, kit) => {
    const answered = answeredEvidence(await kit.ask('model', { messages: item.messages }))
    return answered.ok ? refusing : answered
  })
  await worker.start(coordinator)
  await settled()
  asked[0]!.answer()
  await settled()
  expect(reported.map((record) => [record.ordinal, record.failure?.at, record.calls])).toEqual([[0, 'judge', 0]])
  expect([halted.length, [...released].sort()]).toEqual([1, [1, 2]])
  await worker.stop(0)
})

test('[AGENT10] a failure that no other trial can escape halts the run, is not reported, and everything goes back', async () => {
  const { worker, coordinator, asked, reported, released, halted } = startWorker(6, 2)
  await worker.start(coordinator)
  await settled()
  asked[0]!.fail({ at: 'provider', reason: 'payment-required', retryable: false, status: 402, detail: 'Quota used up.' })
  await settled()
  expect(halted).toEqual(['2026-01-02T00:00:00.000Z'])
  expect(reported).toEqual([])
  expect(released).toContain(0)
  asked[1]!.answer()
  await settled()
  expect(reported.map((record) => record.ordinal)).toEqual([1])
  expect([...released].sort()).toEqual([0, 2, 3, 4, 5])
  await worker.stop(0)
})

test('[AGENT11] a worker that stops gives back what it has not begun at once and gives up what is in flight when its time is up', async () => {
  const { worker, coordinator, asked, released, givenUp } = startWorker(6, 2)
  await worker.start(coordinator)
  await settled()
  await worker.stop(1)
  expect([...released].sort()).toEqual([2, 3, 4, 5])
  expect(asked.every((each) => each.signal.aborted)).toBe(true)
  expect(givenUp.map((record) => record.ordinal)).toEqual([0, 1]) // with what they took
})

test('[AGENT12] a trial that was given to another is aborted, and only what it took is told', async () => {
  const { worker, coordinator, asked, reported, givenUp } = startWorker(1, 2)
  await worker.start(coordinator)
  await settled()
  worker.events.onDrop([[0, 1]])
  await settled()
  expect(asked[0]!.signal.aborted).toBe(true)
  expect([reported.length, givenUp.map(({ ordinal }) => ordinal)]).toEqual([0, [0]])
  await worker.stop(0)
})

test('[AGENT61] while the way to the edge is blocked by what is not acknowledged, no more work is taken; then it goes on', async () => {
  const { worker, coordinator, asked, claims, backlog } = startWorker(40, 4)
  backlog.size = 4_000
  await worker.start(coordinator)
  await settled()
  expect([claims, asked.length]).toEqual([[], 0])
  backlog.size = 3_999
  worker.events.onState({ status: 'running', concurrency: 4, open: 40 })
  await settled()
  expect([claims, asked.length]).toEqual([[8], 4])
  await worker.stop(0)
})

test('[AGENT10] a run is halted once, however many of its answers say that it cannot go on', async () => {
  const { worker, coordinator, asked, halted, reported } = startWorker(4, 4)
  await worker.start(coordinator)
  await settled()
  const spent: Failure = { at: 'provider', reason: 'payment-required', retryable: false, status: 402, detail: 'Quota used up.' }
  for (const each of asked) each.fail(spent)
  await settled()
  expect([halted.length, reported.length]).toEqual([1, 0])
  await worker.stop(0)
})

test('[AGENT61] work is claimed ahead: twice the width, at least eight, and again when half of the width has gone', async () => {
  const { worker, coordinator, asked, claims } = startWorker(60, 6)
  await worker.start(coordinator)
  await settled()
  expect(claims).toEqual([12])
  for (const each of asked.slice(0, 2)) each.answer()
  await settled()
  expect(claims).toEqual([12])
  asked[2]!.answer()
  await settled()
  expect(claims).toEqual([12, 3])
  await worker.stop(0)
  const narrow = startWorker(60, 1)
  await narrow.worker.start(narrow.coordinator)
  await settled()
  expect(narrow.claims).toEqual([8])
  await narrow.worker.stop(0)
})

test('[AGENT61] a claim that comes back empty is repeated after half a second, not before', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { worker, coordinator, claims, leases, asked } = startWorker(1, 4)
  await worker.start(coordinator)
  await settled()
  await settled()
  expect([claims, asked.length]).toEqual([[8, 7], 1])
  vi.advanceTimersByTime(499)
  await settled()
  expect(claims).toHaveLength(2)
  leases.push({ ordinal: 9, attempt: 1, benchmark: planned.name, item_id: '9', epoch: 0 })
  vi.advanceTimersByTime(1)
  await settled()
  expect(asked).toHaveLength(2)
  worker.events.onState({ status: 'canceled', concurrency: 4, open: 0 })
  await settled()
  const before = claims.length
  vi.advanceTimersByTime(10_000)
  await settled()
  expect(claims).toHaveLength(before)
})

test('[AGENT9] fewer slots give back what will not be got to soon; more take more', async () => {
  const { worker, coordinator, asked, released } = startWorker(60, 10)
  await worker.start(coordinator)
  await settled()
  expect(asked).toHaveLength(10)
  worker.assign([{ benchmarks: [], slots: 2 }])
  await settled()
  expect(released).toEqual([14, 15, 16, 17, 18, 19]) // ten in flight, four are kept
  for (const each of asked.slice(0, 9)) each.answer()
  await settled()
  expect(worker.running()).toBe(2)
  worker.assign([{ benchmarks: [], slots: 6 }])
  await settled()
  expect(worker.running()).toBe(6)
  await worker.stop(0)
})

test('[AGENT62] a paused run keeps what is in flight and gives back the rest; a run that ended or was refused ends its worker once', async () => {
  const { worker, coordinator, asked, released, reported, ended, closed } = startWorker(20, 2)
  await worker.start(coordinator)
  await settled()
  worker.events.onState({ status: 'paused', concurrency: 2, open: 18 })
  await settled()
  expect(released).toEqual([2, 3, 4, 5, 6, 7])
  asked[0]!.answer()
  await settled()
  expect([reported.length, worker.running(), asked.length]).toEqual([1, 1, 2])
  worker.events.onState({ status: 'succeeded', concurrency: 2, open: 0 })
  worker.events.onClosed('refused', 'later')
  await settled()
  expect([ended, closed()]).toEqual([['succeeded'], 2])
  expect(asked[1]!.signal.aborted).toBe(true)
  await worker.stop(0)
  expect([ended, closed()]).toEqual([['succeeded'], 2])
})

test('[AGENT11] a worker that stops waits for what is in flight and reports it, and takes nothing new', async () => {
  const { worker, coordinator, asked, reported, released, ended, claims } = startWorker(20, 2)
  await worker.start(coordinator)
  await settled()
  const stopped = worker.stop(60_000)
  expect(released).toEqual([2, 3, 4, 5, 6, 7])
  const before = claims.length
  for (const each of asked) each.answer()
  await stopped
  expect(reported.map((record) => record.ordinal)).toEqual([0, 1])
  expect([released.length, ended, claims.length, asked.length]).toEqual([6, ['let-go'], before, 2])
})

test('[AGENT62] a run that cannot be made ready is halted with the reason, and made ready anew when it goes on', async () => {
  const { coordinator, halted } = startWorker(4, 2)
  let tries = 0
  const failure: Failure = { at: 'dataset', reason: 'unavailable', retryable: false, status: null, detail: 'No data.' }
  const worker = createRunWorker(
    async () => {
      tries++
      return { ok: false, failure }
    },
    2,
    () => undefined,
  )
  await worker.start(coordinator)
  expect([tries, halted]).toEqual([1, [null]])
  worker.events.onState({ status: 'paused', concurrency: 2, open: 4 })
  await settled()
  expect(tries).toBe(1)
  worker.events.onState({ status: 'running', concurrency: 2, open: 4 })
  await settled()
  expect([tries, halted]).toEqual([2, [null, null]])
  await worker.stop(0)
})

test('[AGENT62] what is thrown while a run is made ready halts the run with the reason, and the agent goes on', async () => {
  const { coordinator } = startWorker(4, 2)
  const halted: Failure[] = []
  const worker = createRunWorker(
    () => Promise.reject(new Error('half a file')),
    2,
    () => undefined,
  )
  await worker.start({ ...coordinator, halt: (failure) => void halted.push(failure) })
  expect(halted).toMatchObject([{ at: 'agent', reason: 'error', retryable: true }])
  expect(halted[0]!.detail).toContain('half a file')
  await worker.stop(0)
})

test('[AGENT62] a worker without a connection can be paused and stopped, and one that ended leaves no clock behind', async () => {
  const early = startWorker(4, 2)
  early.worker.events.onState({ status: 'paused', concurrency: 2, open: 4 })
  await early.worker.stop(0)
  expect(early.ended).toEqual(['let-go'])
  await early.worker.start(early.coordinator)
  expect([early.closed(), early.claims]).toEqual([1, []]) // the connection that came too late is closed
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { worker, coordinator, claims } = startWorker(0, 2)
  await worker.start(coordinator)
  await settled()
  expect([claims.length, vi.getTimerCount()]).toEqual([1, 1]) // it will ask again
  worker.events.onState({ status: 'canceled', concurrency: 2, open: 0 })
  expect(vi.getTimerCount()).toBe(0)
})

test('[RUN71] a worker tells what it does where somebody wants to hear it, from its start to its end', async () => {
  const told: string[] = []
  const { worker, coordinator } = startWorker(4, 2)
  await worker.start({ ...coordinator, pulse_ms: 1_000, tell: ({ stage }) => void told.push(stage) })
  const before = told.length
  expect(before).toBeGreaterThan(0)
  await worker.stop(0)
  const deaf = startWorker(4, 2)
  await deaf.worker.start({ ...deaf.coordinator, tell: ({ stage }) => void told.push(stage) })
  await deaf.worker.stop(0)
  expect(told).toHaveLength(before)
})
