import { expect, test } from 'vitest'
import { planned, settled, startWorker } from './testing/start-worker.ts'

test('[LANE13] a worker keeps to what the run grants of its wish, tells the wish with every claim, and tells when it has shrunk', async () => {
  const { worker, coordinator, asked } = startWorker(60, 6)
  const wishes: unknown[] = []
  const claimed: unknown[] = []
  await worker.start({
    ...coordinator,
    claim: (count, benchmarks, wish) => {
      claimed.push([benchmarks, wish])
      worker.events.onGrant!(4)
      return coordinator.claim(count)
    },
    wish: (wish) => void wishes.push(wish),
  })
  await settled()
  expect(claimed[0]).toEqual([[], { width: 6, working: 0 }])
  expect(worker.running()).toBe(4)
  worker.events.onGrant!(6)
  expect(worker.running()).toBe(6)
  worker.assign([{ benchmarks: [planned.name], slots: 2 }])
  for (const each of asked.slice(0, 3)) each.answer()
  await settled()
  expect([wishes, worker.running()]).toEqual([[], 3])
  asked[3]!.answer()
  await settled()
  expect([wishes, worker.running()]).toEqual([[{ width: 2, working: 2 }], 2])
  asked[4]!.answer()
  await settled()
  expect(wishes).toHaveLength(1)
  await worker.stop(0)
})

test('[LANE14] what is claimed for a share that was taken away meanwhile is handed back', async () => {
  const { worker, coordinator, released } = startWorker(4, 4)
  await worker.start({
    ...coordinator,
    claim: (count, benchmarks) => {
      if (benchmarks?.length === 0) worker.assign([{ benchmarks: ['another'], slots: 4 }])
      return coordinator.claim(count)
    },
  })
  await settled()
  expect([released, worker.running()]).toEqual([[0, 1, 2, 3], 0])
  await worker.stop(0)
})
