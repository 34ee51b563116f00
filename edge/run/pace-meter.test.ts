import { expect, test } from 'vitest'
import type { RunEvent } from '#shared/contract/event.ts'
import { initialHead } from '#shared/run/apply.ts'
import type { PaceSums } from '#shared/run/pace.ts'
import { testSpec } from '#shared/run/testing/test-spec.ts'
import { createPaceMeter } from './pace-meter.ts'

function open(spec = testSpec()) {
  let kept: Record<string, PaceSums> | undefined
  const rows = {
    spec: () => spec,
    paces: () => kept && structuredClone(kept),
    savePaces(next: Record<string, PaceSums>) {
      kept = structuredClone(next)
    },
  }
  return { build: () => createPaceMeter(rows), head: initialHead(spec), kept: () => kept }
}
const event = (event_type: string, data: object, benchmark_name: string | null = null): RunEvent =>
  ({ event_type, benchmark_name, at: '', data }) as unknown as RunEvent // only what the meter reads
const leased = (...ordinals: number[]) => event('trials_leased', { leases: ordinals.map((one) => [one, 1]) })
const begun = (...ordinals: number[]) => event('trials_begun', { leases: ordinals.map((one) => [one, 1]) })
const done = (name: string, ...ordinals: number[]) =>
  event('benchmark_progress', { results: ordinals.map((ordinal) => ({ ordinal })) }, name)

test('[OPS4] a trial counts from the moment its agent begins it to its report, in its benchmark; one that is given back does not', () => {
  const { build, head, kept } = open()
  const [name] = head.order as [string]
  const meter = build()
  meter.saw([leased(0, 1)], 0)
  meter.saw([begun(0)], 5000)
  meter.saw([event('trials_released', { leases: [[1, 1]] })], 6000)
  meter.saw([done(name, 0, 1)], 15_000)
  const told = meter.work(head, 15_000)
  expect(told.model).toBe(`${testSpec().model.provider}/${testSpec().model.id}`)
  const first = told.benchmarks.find((one) => one.name === name)!
  expect(first.pace).toMatchObject({ trials: 1 })
  expect(Math.exp(kept()![name]!.log_sum)).toBeCloseTo(10)
  expect(first.open).toBe(head.benchmarks[name]!.total)
})

test('[OPS4] what was measured outlives the process; trials that began before it do not count', () => {
  const { build, head, kept } = open()
  const [name] = head.order as [string]
  const first = build()
  first.saw([leased(0, 1)], 0)
  first.saw([done(name, 0)], 1000)
  first.work(head, 1000)
  const second = build()
  second.saw([done(name, 1)], 9000)
  expect(second.work(head, 9000).benchmarks[0]!.pace).toMatchObject({ trials: 1 })
  expect(kept()![name]!.trials).toBe(1)
})

test('[OPS21] a run tells the ages of its trials under way, 64 of them at most, and what it has measured', () => {
  const { build, head } = open(testSpec({ benchmarks: [{ name: 'alpha', items: 100, epochs: 1 }] }))
  const [name] = head.order as [string]
  const meter = build()
  meter.saw([leased(0)], 0)
  meter.saw([begun(1, 2)], 4000)
  meter.saw([done(name, 0)], 10_000)
  const told = () => meter.work(head, 14_000).benchmarks.find((one) => one.name === name)!
  expect(told().ages).toEqual([10, 10])
  expect(told().sums).toMatchObject({ trials: 1 })
  meter.saw([begun(...Array.from({ length: 99 }, (_, at) => at + 1))], 13_000)
  expect(told().ages).toHaveLength(50) // every second one
})
