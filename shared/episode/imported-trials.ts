import type { Lease } from '../contract/trial.ts'
import type { EpisodeReport } from '../harbor/episode-report.ts'
import { planTrials } from '../run/plan.ts'
import { episodeKey, type ImportedRun } from './import-job.ts'

/** A trial of an imported run. `finished_at`: by Harbor's clock; `at_ms`: when its result is told here, never before the one before it. */
export type ImportedTrial = { lease: Lease; episode: EpisodeReport; finished_at: string; at_ms: number }

/** The trials of an imported run that have an episode, in the order in which those ended; the last of a whole run ends with the job. */
export function importedTrials({ spec, episodes, started_at, finished_at }: ImportedRun): ImportedTrial[] {
  const [startedMs, endedMs] = [Date.parse(started_at), Date.parse(finished_at)]
  const endOf = ({ times }: EpisodeReport): number => (times.finished_at === null ? endedMs : Date.parse(times.finished_at))
  let planned = 0
  const placed: { lease: Lease; episode: EpisodeReport; ended: number }[] = []
  for (const trial of planTrials(spec)) {
    planned++
    const episode = episodes.get(episodeKey(trial))
    if (episode) placed.push({ lease: { ...trial, attempt: 1 }, episode, ended: endOf(episode) })
  }
  let at = startedMs
  return placed
    .sort((a, b) => a.ended - b.ended || a.lease.ordinal - b.lease.ordinal)
    .map(({ lease, episode, ended }, index) => {
      at = Math.max(at, ended, index === planned - 1 ? endedMs : 0)
      return { lease, episode, finished_at: new Date(ended).toISOString(), at_ms: at }
    })
}
