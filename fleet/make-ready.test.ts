import { expect, test } from 'vitest'
import type { MachineImage } from '#shared/solvers/machine.ts'
import { createReadyMaker } from './make-ready.ts'

const image = (name: string): MachineImage => ({ type: 'named', name, pull_timeout_ms: 1 })

test('[MACH67] each list of items takes the place of the one before: what stands on both is expected once, what is not on it any more is left', async () => {
  const expected: { signal: AbortSignal; images(): Promise<readonly MachineImage[]> }[] = []
  const benchmarks = new Map([
    ['tasks', { images: async (index: number) => [image(`task-${index}`)] }],
    ['questions', {}],
  ])
  const maker = createReadyMaker(benchmarks, (one) => void expected.push(one))
  const item = (item_id: string, benchmark = 'tasks') => ({ benchmark, item_id })
  maker.ahead([item('7'), item('3'), item('1', 'questions'), item('1', 'unknown')])
  expect(await Promise.all(expected.map((one) => one.images()))).toEqual([[image('task-7')], [image('task-3')]])
  maker.ahead([item('3'), item('9')])
  expect(expected.map(({ signal }) => signal.aborted)).toEqual([true, false, false])
  maker.close()
  expect(expected.map(({ signal }) => signal.aborted)).toEqual([true, true, true])
})
