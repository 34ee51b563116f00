import type { FoundTask, StoredRun, StoredTrial } from '#db/store.ts'
import type { Card } from '#shared/contract/card.ts'
import type { Evidence } from '#shared/contract/evidence/evidence.ts'
import { problemWords } from '#shared/contract/evidence/reward.ts'
import {
  mostOpening,
  type TaskEpisode,
  type TaskFacts,
  type TaskRun,
  taskHarness,
  type UploadedTask,
} from '#shared/contract/task-upload.ts'
import { agentIdOf } from '#shared/episode/task-agents.ts'
import { type TestCounts, testCounts } from '#shared/harbor/test-counts.ts'
import { nothingScored } from '#shared/metrics/estimate.ts'
import { toBenchmarkResult } from '#shared/run/run-view.ts'
import { episodeEnd, episodesOf, meanReward } from '#shared/run/task-standing.ts'
import { uploadBenchmark } from '#shared/run/upload-data.ts'
import { teamFor } from '../auth/team-access.ts'
import type { Principal } from '../deps.ts'

/** A task as lists show it. */
export function toUploadedTask({ task, standing }: FoundTask, latest: TaskRun | null, principal: Principal): UploadedTask {
  return {
    id: task.id,
    name: task.name,
    description: task.facts.description,
    original_filename: task.original_filename,
    file_size: task.size_bytes,
    model: task.model,
    agent: task.agent,
    harness: taskHarness,
    num_runs: task.num_runs,
    status: standing.status,
    created_at: task.created_at,
    started_at: standing.started_at,
    completed_at: standing.completed_at,
    total_runs: standing.total,
    passed_runs: standing.passed,
    failed_runs: standing.failed + standing.errors,
    provider: task.provider,
    mean_reward: standing.mean_reward,
    sha256: task.sha256,
    checksum: task.checksum,
    opening: openingOf(task.facts),
    latest,
    team: teamFor(principal, task.owner_id),
    warnings: task.facts.warnings,
    runnable: !task.facts.not_runnable.some(({ concerns }) => concerns === 'all'),
  }
}

const openingOf = ({ instruction }: TaskFacts): string => instruction.slice(0, mostOpening).replace(/[\ud800-\udbff]$/, '')

/** A run of a task in a line. */
export function toTaskRun(run: StoredRun, cards: readonly Card[]): TaskRun {
  const { spec, head } = run
  const counts = episodesOf(head)
  const planned = spec.benchmarks.find(({ name }) => name === uploadBenchmark)
  const card = cards.find(({ name }) => name === uploadBenchmark)
  return {
    run_id: spec.run_id,
    status: head.status,
    agent: agentOf({ spec }),
    model: spec.model.slug,
    provider: spec.model.provider,
    episodes: head.total,
    passed: counts.right,
    failed: counts.wrong,
    errors: counts.failed,
    mean_reward: meanReward(counts),
    estimate: planned ? toBenchmarkResult(planned, run, card).estimate : nothingScored,
    created_at: spec.created_at,
    started_at: head.started_at,
    completed_at: head.completed_at,
  }
}

const agentOf = ({ spec }: Pick<StoredRun, 'spec'>): string => {
  const planned = spec.benchmarks.find(({ name }) => name === uploadBenchmark)
  return planned ? agentIdOf(planned) : ''
}

/** Where an episode stands: in which run of which task, and as the how manieth of all. */
export type EpisodePlace = { task_id: string; run: StoredRun; epoch: number; run_number: number }

/** The item that an uploaded task is in its run. */
export const episodeItem = '0'
export const episodeId = (run_id: string, epoch: number): string => `${run_id}.${epoch}`

/** An episode that has no result yet. */
export function openEpisode({ task_id, run, epoch, run_number }: EpisodePlace, running: boolean): TaskEpisode {
  const { spec } = run
  return {
    id: episodeId(spec.run_id, epoch),
    task_id,
    run_number,
    run_id: spec.run_id,
    benchmark: uploadBenchmark,
    item: episodeItem,
    epoch,
    status: running ? 'running' : 'pending',
    ...{ started_at: null, completed_at: null, duration_seconds: null, reward: null },
    ...{ tests_total: null, tests_passed: null, tests_failed: null, error_message: null },
    agent: agentOf(run),
    model: spec.model.slug,
  }
}

/** An episode with its result. */
export function endedEpisode(place: EpisodePlace, { record, finished_at }: StoredTrial): TaskEpisode {
  const took_ms = tookMs(record.evidence)
  const counts = countsOf(record.evidence)
  return {
    ...openEpisode(place, false),
    status: episodeEnd(record),
    started_at: took_ms === null ? null : new Date(Date.parse(finished_at) - took_ms).toISOString(),
    completed_at: finished_at,
    duration_seconds: took_ms === null ? null : Math.round(took_ms) / 1000,
    reward: record.score,
    tests_total: counts?.total ?? null,
    tests_passed: counts?.passed ?? null,
    tests_failed: counts?.failed ?? null,
    error_message: record.failure?.detail ?? problemOf(record.evidence),
  }
}

/** From the beginning of the trial to the end of its last part. */
function tookMs(evidence: Evidence | null): number | null {
  if (evidence?.kind !== 'reward' || evidence.phases.length === 0) return null
  return Math.max(...evidence.phases.map(({ began_ms, took_ms }) => began_ms + took_ms))
}

/** Why there is no reward, where its verifier left none. */
function problemOf(evidence: Evidence | null): string | null {
  if (evidence?.kind !== 'reward') return null
  const problem = evidence.steps.find((step) => step.problem !== null)?.problem
  return problem ? problemWords[problem] : null
}

function countsOf(evidence: Evidence | null): TestCounts | null {
  if (evidence?.kind !== 'reward') return null
  const counted = evidence.steps.flatMap(({ verifier }) => testCounts(verifier?.output ?? '') ?? [])
  if (counted.length === 0) return null
  const sum = (name: keyof TestCounts): number => counted.reduce((total, one) => total + one[name], 0)
  return { total: sum('total'), passed: sum('passed'), failed: sum('failed') }
}

/** What the verifiers of an episode wrote, each below the name of its step; null where none ran. */
export function verifierLogs(evidence: Evidence | null): string | null {
  if (evidence?.kind !== 'reward') return null
  const written = evidence.steps.flatMap(({ name, verifier }) =>
    verifier ? [name === '' ? verifier.output : `== ${name} ==\n${verifier.output}`] : [],
  )
  return written.length === 0 ? null : written.join('\n')
}
