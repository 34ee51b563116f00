import { expect, test } from 'vitest'
import { questionNeeds } from '#shared/contract/resources.ts'
import type { Lease } from '#shared/contract/trial.ts'
import { createWorkQueue } from './work-queue.ts'

let next = 0
const leases = (benchmark: string, count: number): Lease[] =>
  Array.from({ length: count }, () => ({ ordinal: next++, attempt: 1, benchmark, item_id: '0', epoch: 0 }))
const planned = [{ name: 'alpha' }, { name: 'coded', needs: { ...questionNeeds, typical_seconds: 900 } }]
const nobody = new Set<never>()
const [asks, codes] = [
  { benchmarks: ['alpha'], slots: 6 },
  { benchmarks: ['coded'], slots: 2 },
]

test('[LANE14] each share of a run has its own slots and its own claims: one that waits keeps no other waiting', () => {
  const queue = createWorkQueue(3)
  expect(queue.wanted(3, planned.slice(0, 1), nobody)).toMatchObject({ share: { benchmarks: [] }, count: 8 })
  expect(queue.assign([asks, codes])).toEqual([])
  expect(queue.slots()).toBe(8)
  expect(queue.wanted(8, planned, nobody)).toEqual({ share: asks, count: 12 })
  expect(queue.wanted(8, planned, new Set([asks]))).toEqual({ share: codes, count: 2 }) // long trials are not claimed ahead
  queue.add(leases('coded', 2))
  expect(queue.wanted(8, planned, new Set([asks]))).toBe(undefined)
  const [one, two] = [queue.begin()!, queue.begin()!]
  expect([one.benchmark, two.benchmark, queue.begin()]).toEqual(['coded', 'coded', undefined])
  queue.add([...leases('alpha', 9), ...leases('coded', 1)])
  expect(Array.from({ length: 8 }, () => queue.begin()?.benchmark)).toEqual([...Array(6).fill('alpha'), undefined, undefined])
  queue.ended(one)
  expect([queue.begin()?.benchmark, queue.begin()]).toEqual(['coded', undefined])
})

test('[LANE14] what a share loses is given back, what is at work goes on counting, and a smaller width claims less', () => {
  const queue = createWorkQueue(3)
  queue.assign([asks, codes])
  queue.add([...leases('alpha', 12), ...leases('coded', 2)])
  for (let n = 0; n < 8; n++) queue.begin()
  expect(queue.assign([{ ...asks, slots: 2 }]).map(({ benchmark }) => benchmark)).toEqual(['alpha', 'alpha'])
  expect(queue.begin()).toBe(undefined) // six are at work where two may be
  expect(queue.assign([codes]).map(({ benchmark }) => benchmark)).toEqual(Array(4).fill('alpha'))
  expect(queue.wanted(8, planned, nobody)).toBe(undefined)
  expect(queue.assign([asks])).toEqual([])
  expect(queue.wanted(1, planned, nobody)).toEqual({ share: asks, count: 2 })
  queue.add(leases('alpha', 3))
  expect(queue.clear()).toHaveLength(3)
})
