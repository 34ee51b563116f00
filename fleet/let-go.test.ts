import { afterEach, expect, test, vi } from 'vitest'
import { questionNeeds } from '#shared/contract/resources.ts'
import { drainMs, patienceMs } from '#shared/run/patience.ts'
import { settled, startWorker } from './testing/start-worker.ts'

afterEach(() => vi.useRealTimers())

test('[FLEET95] a worker that lost its run takes nothing new, finishes what is in flight, reports it and leaves', async () => {
  const { worker, coordinator, asked, reported, released, claims, ended } = startWorker(20, 2)
  await worker.start(coordinator)
  await settled()
  worker.letGo()
  worker.letGo()
  expect(released).toEqual([2, 3, 4, 5, 6, 7])
  const before = claims.length
  asked[0]!.answer()
  await settled()
  expect([ended, asked.length]).toEqual([[], 2])
  asked[1]!.answer()
  await settled()
  expect([ended, claims.length, released.length]).toEqual([['let-go'], before, 6])
  expect(reported.map(({ ordinal }) => ordinal)).toEqual([0, 1])
})

test('[FLEET95] what is assigned again meanwhile goes on', async () => {
  const { worker, coordinator, asked, ended } = startWorker(20, 2)
  await worker.start(coordinator)
  await settled()
  worker.letGo()
  asked[0]!.answer()
  await settled()
  worker.assign([{ benchmarks: [], slots: 2 }])
  await settled()
  expect([ended, asked.length, worker.running()]).toEqual([[], 3, 2])
  await worker.stop(0)
})

test('[FLEET95] patience is three times what a trial takes as a rule, at least as long as a draining agent waits; then the rest is given up', async () => {
  const hour = { needs: { ...questionNeeds, typical_seconds: 3600 } }
  expect([patienceMs([{}]), patienceMs([{}, hour])]).toEqual([60_000, 3 * 3_600_000])
  expect(patienceMs([{ needs: { ...questionNeeds, typical_seconds: 1 } }])).toBe(drainMs)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const { worker, coordinator, asked, released, givenUp, ended } = startWorker(2, 2)
  await worker.start({ ...coordinator, spec: { ...coordinator.spec, benchmarks: [{ ...coordinator.spec.benchmarks[0]!, ...hour }] } })
  await settled()
  worker.letGo()
  await vi.advanceTimersByTimeAsync(3 * 3_600_000 - 1)
  expect([ended, released]).toEqual([[], []])
  await vi.advanceTimersByTimeAsync(10_000)
  expect([ended, released, givenUp.map(({ ordinal }) => ordinal)]).toEqual([['let-go'], [], [0, 1]])
  expect(asked.every(({ signal }) => signal.aborted)).toBe(true)
  expect(vi.getTimerCount()).toBe(0)
})

test('[FLEET95] a worker that lost its run before it had a connection or its data leaves at once', async () => {
  const early = startWorker(4, 2)
  early.worker.letGo()
  await settled()
  expect(early.ended).toEqual(['let-go'])
})
