import type { EpisodeStatus, TaskEpisode } from '#shared/contract/task-upload.ts'
import type { FeedRow } from '../live-state.ts'

/** An episode as the stream of its run just told it ended. */
function toldBy(row: FeedRow): Pick<TaskEpisode, 'status' | 'reward' | 'error_message' | 'duration_seconds'> {
  const duration_seconds = row.latency_ms === null ? null : row.latency_ms / 1000
  return { status: endOf(row), reward: row.score, error_message: row.failure, duration_seconds }
}

function endOf({ outcome, flags, failure }: FeedRow): EpisodeStatus {
  if (outcome === 'right') return 'passed'
  if (outcome === 'failed') return failure?.endsWith('/timeout') ? 'timeout' : 'error'
  return flags.includes('agent_timeout') || flags.includes('verifier_timeout') ? 'timeout' : 'failed'
}

/**
 * The episodes of a run with what its stream has told since they were read: results as they came, and which are at work now. Where the record
 * already knows how an episode ended, that stands.
 */
export function episodesNow(read: readonly TaskEpisode[], feed: readonly FeedRow[], atWork: ReadonlySet<number>): TaskEpisode[] {
  const told = new Map<number, FeedRow>()
  // The newest comes first, and counts.
  for (const row of feed) if (!told.has(row.epoch)) told.set(row.epoch, row)
  return read.map((one) => {
    const row = told.get(one.epoch)
    const open = one.status === 'pending' || one.status === 'running'
    if (open && row) return { ...one, ...toldBy(row) }
    return open && atWork.has(one.epoch) ? { ...one, status: 'running' as const } : one
  })
}

/** A reward as people read it: two digits at most, `1`, `0.5`. */
export const rewardText = (reward: number | null): string => (reward === null ? '–' : String(Math.round(reward * 100) / 100))
