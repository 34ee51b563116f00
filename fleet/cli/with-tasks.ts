import { resolve } from 'node:path'
import { card as terminalTasks } from '#shared/benchmarks/terminal_tasks/card.ts'
import { type Io, UsageError } from './io.ts'
import type { RunValues } from './run-options.ts'

/** What `--tasks DIR` makes of a local run: its benchmark is terminal tasks, whose items are those of the folder. Throws `UsageError`. */
export function withTasks<V extends RunValues & { local: boolean }>(values: V, dir: string, io: Io): { values: V; io: Io } {
  if (!values.local) throw new UsageError('--tasks belongs to --local: a service gets tasks as archives, on its page of tasks.')
  const others = values.benchmark?.filter((name) => name !== terminalTasks.name) ?? []
  if (others.length > 0 || values.suite) throw new UsageError('--tasks names what is run: leave --benchmark and --suite out.')
  if (values.data !== 'auto' && values.data !== 'override') throw new UsageError('--tasks names the data: leave --data out.')
  return { values: { ...values, benchmark: [terminalTasks.name], data: 'override' }, io: whereTasksAre(dir, io) }
}

/** Surroundings in which the items of terminal tasks are those of a folder. */
export function whereTasksAre(dir: string, io: Io): Io {
  const overrides = JSON.stringify({ [terminalTasks.name]: { files: [{ role: 'test', path: resolve(dir) }] } })
  return { ...io, env: { ...io.env, BENCH_DATA_OVERRIDES: overrides } }
}
