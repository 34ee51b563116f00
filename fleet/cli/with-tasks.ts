import { resolve } from 'node:path'
import { readTaskFolders } from '#fleet/catalogue/pack-terminal-tasks.ts'
import { findCard } from '#shared/benchmarks/cards.ts'
import { card as terminalTasks } from '#shared/benchmarks/terminal_tasks/card.ts'
import { findTaskAgent } from '#shared/episode/task-agents.ts'
import { lineEndWarnings } from '#shared/harbor/script-line-ends.ts'
import { type Io, UsageError } from './io.ts'
import type { Given } from './response-file.ts'
import type { RunValues } from './run-options.ts'
import { cleanLine } from './terminal.ts'

/** Answers that stand in place of a model under a profile that asks none (`oracle`, `nop`); null where one is asked. */
export function answersOfNobody({ profile, benchmark = [] }: Pick<RunValues, 'profile' | 'benchmark'>): Given | null {
  if (profile === undefined || benchmark.length === 0 || findTaskAgent(profile)?.asks !== false) return null
  const terminal = benchmark.every((name) => {
    const card = findCard(name)
    return card?.evidence === 'reward' && card.profiles.some(({ id }) => id === profile)
  })
  return terminal ? { answers: [{ texts: ['No model is asked.'] }], label: profile } : null
}

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

/** Warns of scripts of tasks in a folder that will not run as they are written. A folder that cannot be read is refused where it is opened. */
export async function warnOfTasks(dir: string, io: Io): Promise<void> {
  const folders = await readTaskFolders(resolve(dir)).catch(() => [])
  for (const { name, files } of folders) for (const one of lineEndWarnings(files)) io.err(cleanLine(`warning: ${name}/${one}`, 300))
}
