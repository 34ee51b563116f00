import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMachines, type Machines } from '#fleet/machine/open-machines.ts'
import { ensureMachineImage } from '#fleet/machine/testing/machine-image.ts'
import { type FixtureRun, runNop, runOracle } from '#fleet/machine/testing/run-fixture.ts'
import { reportEpisode } from '#shared/episode/report-episode.ts'
import { episodeRecord } from '#shared/episode/testing/ended-episode.ts'
import type { EpisodeReport } from '#shared/harbor/episode-report.ts'
import { loadTask } from '#shared/harbor/load-task.ts'
import { tree } from '#shared/harbor/testing/task-files.ts'
import { CannotCompare } from './python-environment.ts'
import { type Harbor, openHarbor, writeTasks } from './run-harbor.ts'
import { type HarborParityTask, harborParityTasks } from './tasks-harbor.ts'

export const parityWorkers = ['oracle', 'nop'] as const
type ParityWorker = (typeof parityWorkers)[number]

/** What came of an episode on one side: rewards, the class of what went wrong, and the same of every step that was begun. `refused`: nothing ran. */
export type EpisodeCame = Pick<EpisodeReport, 'rewards'> & { error: string | null; steps: [name: string, rewards: EpisodeReport['rewards'], error: string | null][] } // biome-ignore format: one form, one line
export const refusedEpisode: EpisodeCame = { rewards: null, error: 'refused', steps: [] }

export type ComparedEpisode = { task: string; worker: ParityWorker; ours: EpisodeCame; theirs: EpisodeCame; differs: string | undefined }

/** An episode as both sides tell it. */
export const cameOf = ({ rewards, error, steps }: EpisodeReport): EpisodeCame => ({
  rewards,
  error: error?.type ?? null,
  steps: (steps ?? []).map((step) => [step.name, step.rewards, step.error?.type ?? null]),
})

/** How a compared episode counts: an explained difference that is none any more is a disagreement too. */
export type Verdict = 'same' | 'explained' | 'differs' | 'no longer differs'
export function verdictOf({ ours, theirs, differs }: ComparedEpisode): Verdict {
  const same = shown(ours) === shown(theirs)
  if (same) return differs === undefined ? 'same' : 'no longer differs'
  return differs === undefined ? 'differs' : 'explained'
}

const rewardsShown = (rewards: EpisodeReport['rewards']): string =>
  rewards === null
    ? '–'
    : Object.entries(rewards)
        .toSorted()
        .map(([name, value]) => `${name} ${Number(value.toPrecision(12))}`)
        .join(' ')
const shown = ({ rewards, error, steps }: EpisodeCame): string =>
  [rewardsShown(rewards), error ?? '', ...steps.map(([name, own, wrong]) => `${name}: ${rewardsShown(own)} ${wrong ?? ''}`.trim())]
    .filter(Boolean)
    .join(' | ')

/** The table of a comparison, and how many count as disagreements. */
export function tallyEpisodes(compared: readonly ComparedEpisode[]): { lines: string[]; disagreements: number } {
  const lines = compared.map((one) => {
    const verdict = verdictOf(one)
    const beside = verdict === 'same' ? '' : `   Harbor: ${shown(one.theirs)}${one.differs ? `   (${one.differs})` : ''}`
    return `${one.task.padEnd(24)}${one.worker.padEnd(8)}${verdict.padEnd(19)}${shown(one.ours)}${beside}`
  })
  const disagreements = compared.filter((one) => ['differs', 'no longer differs'].includes(verdictOf(one))).length
  return { lines, disagreements }
}

/**
 * Runs the same tasks by Harbor and by us at the same Docker engine, each with its own solution and with nobody, and returns the number of episodes that differ
 * without a reason that is known. `only`: names of tasks, all where it is empty.
 */
export async function compareHarbor(source: string | undefined, _seed: number, _count: number, only: readonly string[]): Promise<number> {
  const missing = await ensureMachineImage()
  if (missing !== null) throw new CannotCompare(missing)
  const tasks = harborParityTasks.filter(({ name }) => only.length === 0 || only.includes(name))
  if (tasks.length === 0)
    throw new CannotCompare(`there is no such task; there are ${harborParityTasks.map(({ name }) => name).join(', ')}`)
  const harbor = await openHarbor(source, { installs: true })
  const room = { cpus: 64, memory_mb: 65_536 }
  const plain = await createMachines({ room, network: 'none' })
  // Services reach each other on networks of their episode; the engine's own bridge has none of them.
  const composed = await createMachines({ room, network: 'bridge' })
  try {
    const compared: ComparedEpisode[] = []
    for (const worker of parityWorkers) {
      const theirs = await byHarbor(harbor, tasks, worker)
      for (const task of tasks) {
        const ours = await byUs(hasServices(task) ? composed : plain, task, worker)
        compared.push({ task: task.name, worker, ours, theirs: theirs.get(task.name) ?? refusedEpisode, differs: task.differs?.[worker] })
      }
    }
    const { lines, disagreements } = tallyEpisodes(compared)
    console.log(
      `${tasks.length} tasks by ${harbor.title} and by us, with oracle and nop: rewards, class of error, steps\n\n${lines.join('\n')}\n`,
    )
    console.log(`disagreements: ${disagreements}`)
    return disagreements
  } finally {
    await Promise.all([plain.close(), composed.close()])
  }
}

/** What came of each task at Harbor. Tasks that cannot be loaded are given to it one by one, as one of them would keep it from all. */
async function byHarbor(harbor: Harbor, tasks: readonly HarborParityTask[], worker: ParityWorker): Promise<Map<string, EpisodeCame>> {
  const whole = tasks.filter((task) => loadTask(task.name, filesOf(task)).ok)
  const groups = [whole, ...tasks.filter((task) => !whole.includes(task)).map((task) => [task])].filter((group) => group.length > 0)
  const came = new Map<string, EpisodeCame>()
  for (const group of groups) {
    const folder = await mkdtemp(join(tmpdir(), 'bench-harbor-tasks-'))
    try {
      await writeTasks(folder, group)
      const { job } = await harbor.run(folder, worker, { attempts: 1, width: 4 })
      for (const episode of job?.episodes ?? []) came.set(episode.task.name, cameOf(episode))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
  return came
}

const filesOf = ({ files }: HarborParityTask) =>
  tree(Object.fromEntries(Object.entries(files).filter((entry): entry is [string, string] => entry[1] !== undefined)))

const hasServices = ({ files }: HarborParityTask): boolean => files['environment/docker-compose.yaml'] !== undefined

async function byUs(machines: Machines, task: HarborParityTask, worker: ParityWorker): Promise<EpisodeCame> {
  const files = filesOf(task)
  const loaded = loadTask(task.name, files)
  if (!loaded.ok || loaded.task.why_not_runnable.some(({ concerns }) => concerns === 'all')) return refusedEpisode
  return cameOf(reportOf(await (worker === 'oracle' ? runOracle : runNop)(machines, files), worker))
}

/** Told as an export tells it. */
function reportOf({ outcome }: FixtureRun, profile: string): EpisodeReport {
  const record = outcome.ok
    ? episodeRecord({ evidence: outcome.value })
    : episodeRecord({ evidence: null, failure: outcome.failure, outcome: 'failed', score: null })
  const run = { run_id: crypto.randomUUID() as never, model: { id: profile, slug: profile, provider: 'none' } } // an id that nobody looks up
  return reportEpisode({ record, finished_at: new Date().toISOString(), run, benchmark: { name: 'terminal_tasks', profile } })
}
