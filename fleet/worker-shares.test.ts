import { expect, test } from 'vitest'
import { questionNeeds } from '#shared/contract/resources.ts'
import { planned, settled, startWorker } from './testing/start-worker.ts'

test('[LANE13] a worker keeps to what the run grants of its wish, tells the wish with every claim, and tells when it has shrunk', async () => {
  const { worker, coordinator, asked } = startWorker(60, 6)
  const wishes: unknown[] = []
  const claimed: unknown[] = []
  await worker.start({
    ...coordinator,
    claim: (count, benchmarks, wish) => {
      claimed.push([benchmarks, wish])
      worker.events.onGrant!(4, true)
      return coordinator.claim(count)
    },
    wish: (wish) => void wishes.push(wish),
  })
  await settled()
  expect(claimed[0]).toEqual([[], { width: 6, working: 0 }])
  expect(worker.running()).toBe(4)
  worker.events.onGrant!(6, false)
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

test('[FLEET99] a worker that told a smaller wish uses no more than that until a later claim is answered, whatever was granted before', async () => {
  const { worker, coordinator, asked } = startWorker(60, 6)
  const answers: ((width: number) => void)[] = []
  await worker.start({
    ...coordinator,
    claim: (count) =>
      new Promise((resolve) => {
        answers.push((width) => {
          worker.events.onGrant!(width, true)
          resolve(coordinator.claim(count))
        })
      }),
    wish: () => undefined,
  })
  answers.shift()!(6)
  await settled()
  expect([worker.running(), answers.length]).toEqual([6, 0])
  worker.assign([{ benchmarks: [planned.name], slots: 2 }])
  for (const each of asked.slice(0, 4)) each.answer()
  await settled()
  expect([worker.running(), answers.length]).toEqual([2, 1]) // told: the run may have given the rest to others by now
  worker.assign([{ benchmarks: [planned.name], slots: 6 }])
  expect(worker.running()).toBe(2)
  worker.events.onGrant!(6, false) // said before the run heard of it
  expect(worker.running()).toBe(2)
  answers.shift()!(2)
  for (const each of asked.slice(4, 6)) each.answer()
  await settled()
  expect([worker.running(), answers.length]).toEqual([2, 1])
  answers.shift()!(5)
  await settled()
  expect(worker.running()).toBe(5)
  worker.events.onGrant!(6, false)
  expect(worker.running()).toBe(6)
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

test('[MACH67] a worker that makes images ready says for how many trials at machines it has room, and hands on what it may make ready for until its run has ended', async () => {
  const sandbox = { kinds: ['machine' as const], cpus: 1, memory_mb: 512, disk_mb: 512, images: [] }
  const named: string[][] = []
  const { worker, coordinator } = startWorker(
    9,
    20,
    undefined,
    undefined,
    undefined,
    (items) => void named.push(items.map(({ item_id }) => item_id)),
  )
  const spec = {
    ...coordinator.spec,
    benchmarks: [
      { ...planned, needs: { ...questionNeeds, sandbox } },
      { ...planned, name: 'questions' },
    ],
  }
  const wishes: unknown[] = []
  worker.assign([
    { benchmarks: [planned.name], slots: 3 },
    { benchmarks: ['questions'], slots: 9 },
  ])
  await worker.start({
    ...coordinator,
    spec,
    claim: (count, _benchmarks, wish) => {
      wishes.push(wish)
      return coordinator.claim(count)
    },
  })
  await settled()
  expect(wishes[0]).toEqual({ width: 12, working: 0, ahead: 3 })
  worker.events.onAhead!([{ benchmark: planned.name, item_id: '7' }])
  await worker.stop(0)
  worker.events.onAhead!([{ benchmark: planned.name, item_id: '8' }])
  expect(named).toEqual([['7']])
})
