import { filesOf, type TaskRow } from '../../episode/task-row.ts'
import { terminalBenchmark } from '../../episode/terminal-benchmark.ts'
import type { HarborTask } from '../../harbor/task.ts'
import { loadTask1 } from '../../terminal-bench-1/load-task.ts'
import { card } from './card.ts'
import { manifestOf, unsolved } from './lists.ts'
import { wayOf } from './profiles.ts'

/** The task of a row, by the rules of a profile. Throws with everything that is wrong with it. */
function taskOf(row: TaskRow, profile: string): HarborTask {
  const loaded = loadTask1(row.task, filesOf(row), wayOf(profile).form)
  if (loaded.ok) return loaded.task
  throw new Error(`${row.task} is no task: ${loaded.problems.map(({ entry, text }) => `${entry}: ${text}`).join('; ')}`)
}

export default terminalBenchmark(card, (profile, texts, agent) => wayOf(profile).worker(texts, agent), {
  manifest: (profile) => manifestOf(wayOf(profile).list),
  taskOf,
  errata: unsolved,
  agentTimeoutMs: (profile) => wayOf(profile).agent_timeout_ms,
})
