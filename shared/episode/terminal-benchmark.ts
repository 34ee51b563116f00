import { itemHash } from '../benchmarks/item-hash.ts'
import { eachRecord, recordsOf } from '../benchmarks/parse-rows.ts'
import { everyRow } from '../benchmarks/survey.ts'
import { BadRecord, type Task } from '../benchmarks/task.ts'
import type { Card } from '../contract/card.ts'
import type { CommandAgent } from '../contract/command-agent.ts'
import type { Item } from '../contract/item.ts'
import type { HarborTask } from '../harbor/task.ts'
import type { Solver } from '../solvers/kit.ts'
import { imagesOf } from './machine-spec.ts'
import { regradeTrial } from './regrade-trial.ts'
import { runEpisode } from './run-episode.ts'
import { scoreEpisode } from './score-episode.ts'
import { rowsOfManifest, type TaskManifest } from './task-manifest.ts'
import { TaskRow, taskOf } from './task-row.ts'
import type { Worker } from './worker.ts'

/** Nobody gives values for variables that a task wants, so far: a task that must have one is not run. */
const given: ReadonlyMap<string, string> = new Map()

/**
 * What a benchmark of terminal tasks may say beside its card and who works: which tasks an archive has to hold under a profile; how a row is a task, where it is
 * none of Harbor's; the tasks that nobody can solve; how long agents have, whatever tasks say.
 */
export type TerminalOptions = {
  manifest?: (profile: string) => TaskManifest
  taskOf?: (row: TaskRow, profile: string) => HarborTask
  errata?: ReadonlySet<string>
  agentTimeoutMs?: (profile: string) => number | undefined
}

/**
 * A benchmark whose rows are tasks at a terminal. An item shows what the model is told and what the task takes; tests, solution and environment
 * are the solver's alone. `workerOf` gives who works at the terminal under a profile.
 */
export function terminalBenchmark(
  card: Card & { evidence: 'reward' },
  workerOf: (profile: string, texts: Record<string, string>, agent: CommandAgent | null) => Worker,
  options: TerminalOptions = {},
): Task<'reward'> {
  const { manifest, errata } = options
  return {
    card,
    async survey({ profile, rows }) {
      const records = recordsOf(rows, 'test', TaskRow)
      if (manifest) return { items: await rowsOfManifest(records, manifest(profile.id)), named: [] }
      await eachRecord(records)
      return everyRow
    },
    open({ profile, rows, survey }) {
      const records = recordsOf(rows, 'test', TaskRow)
      const rowOf = (index: number): number => survey.items?.[index] ?? index
      return {
        count: survey.items?.length ?? records.count,
        async item(index) {
          const row = await records.read(rowOf(index))
          const item = toItem(readTask(row, rowOf(index), profile.id, options), index)
          return errata ? { ...item, metadata: { ...item.metadata, errata: errata.has(row.task) } } : item
        },
        hidden: (index) => records.read(rowOf(index)),
        images: async (index) => imagesOf(readTask(await records.read(rowOf(index)), rowOf(index), profile.id, options), given),
      }
    },
    solver: (profile, texts) => solveWith((agent) => workerOf(profile, texts, agent), profile, options),
    score(item, evidence) {
      const score = scoreEpisode(evidence)
      return errata ? { ...score, detail: { ...score.detail, errata: item.metadata.errata === true } } : score
    },
    demo: (_item, right) => (right ? 'The task is done.' : 'I do not know.'),
  }
}

const taskIn = (row: TaskRow, profile: string, options: TerminalOptions): HarborTask => (options.taskOf ?? taskOf)(row, profile)

function readTask(row: TaskRow, index: number, profile: string, options: TerminalOptions): HarborTask {
  try {
    return taskIn(row, profile, options)
  } catch (cause) {
    throw new BadRecord('test', index, (cause as Error).message, { cause })
  }
}

/** What the solver of a benchmark does with an item: its task is in what the data set hides. */
const solveWith =
  (workerWith: (agent: CommandAgent | null) => Worker, profile: string, options: TerminalOptions): Solver<'reward'> =>
  async (_item, kit) => {
    const worker = workerWith(kit.agent)
    const hidden = await kit.hidden()
    if (!hidden.ok) return hidden
    const task = taskIn(TaskRow.parse(hidden.value), profile, options)
    if (kit.handed_over) return regradeTrial(task, kit.handed_over, kit, given)
    const hindered = task.why_not_runnable.filter(({ concerns }) => concerns === 'all' || worker.asks)
    if (hindered.length > 0) {
      const detail = `${task.name} cannot run here: ${hindered.map(({ key, text }) => `${key}: ${text}`).join('; ')}`.slice(0, 2000)
      return { ok: false, failure: { at: 'sandbox', reason: 'task-refused', retryable: false, status: null, detail } }
    }
    const agent_timeout_ms = options.agentTimeoutMs?.(profile)
    return runEpisode(task, worker, kit, { multiplier: 1, given, ...(agent_timeout_ms !== undefined && { agent_timeout_ms }) })
  }

const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1000)
const worthShowing = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number'

function toItem(task: HarborTask, index: number): Item {
  const messages = task.steps.map(({ name, instruction }) => ({
    role: 'user' as const,
    content: name === null ? instruction : `# ${name}\n\n${instruction}`,
  }))
  const { environment, about } = task
  const { difficulty = null, category = null } = about.metadata
  return {
    item_id: String(index),
    source_id: task.name,
    item_hash: itemHash(messages),
    group: worthShowing(category) ? String(category) : null,
    messages,
    target: '1',
    metadata: {
      task: task.name,
      checksum: task.checksum,
      digest: task.digest,
      difficulty: worthShowing(difficulty) ? difficulty : null,
      image: environment.image ?? 'built from the task',
      cpus: environment.cpus,
      memory_mb: environment.memory_mb,
      storage_mb: environment.storage_mb,
      network: environment.network.mode,
      agent_timeout_s: seconds(task.steps[0].agent.timeout_ms),
      verifier_timeout_s: seconds(task.steps[0].verifier.timeout_ms),
      steps: task.steps.length,
      not_runnable: task.why_not_runnable.map(({ key, text }) => `${key}: ${text}`).join('; ') || null,
    },
  }
}
