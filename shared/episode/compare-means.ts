import type { ComparedMeans, HarborMean } from '../contract/harbor-means.ts'
import { type EpisodeReport, evalKey, type JobReport } from '../harbor/episode-report.ts'
import { type ImportedRun, importEpisode } from './import-job.ts'
import { importedTrials } from './imported-trials.ts'

/** The mean of our scores over the trials of an imported run, beside the metrics that Harbor wrote into the job for the same agent and model. */
export function compareMeans(run: ImportedRun, { told }: Pick<JobReport, 'told'>): ComparedMeans {
  const records = importedTrials(run).map(({ episode, lease }) => importEpisode(episode, lease, null))
  const scores = records.flatMap(({ score }) => score ?? [])
  const groups = new Map([...run.episodes.values()].map((episode) => [evalKey(episode), episode]))
  return {
    mean: scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length,
    scored: scores.length,
    no_reward: records.filter(({ evidence }) => evidence?.kind === 'reward' && evidence.steps.every(({ rewards }) => rewards === null))
      .length,
    failed: records.length - scores.length,
    harbor: [...groups].flatMap(([key, { task }]) => harborMean(key, task, told)),
  }
}

function harborMean(key: string, { source }: EpisodeReport['task'], told: JobReport['told']): HarborMean[] {
  const found = told?.[key]
  if (!found) return []
  const metrics = found.metrics.flatMap((metric) => Object.entries(metric).map(([name, value]) => ({ name, value })))
  return [{ data_set: source ?? 'adhoc', metrics, trials: found.trials, errors: found.errors }]
}

/**
 * Harbor's numbers and ours, a line each: `Harbor: mean 0.682 (11 trials with a reward, 17 with an error)`. Empty where the job tells none. Harbor 0.26.0 leaves trials
 * without a valid reward out of its mean, Harbor 0.25.0 counts them as 0.
 */
export function meansLines({ mean, scored, no_reward, failed, harbor }: ComparedMeans): string[] {
  if (harbor.length === 0) return []
  const theirs = harbor.map(({ data_set, metrics, trials, errors }) => {
    const values = metrics.map(({ name, value }) => `${name} ${value.toFixed(3)}`).join(', ') || 'no metric'
    const counts = `${trialsText(trials)} with a reward${errors > 0 ? `, ${errors} with an error` : ''}`
    return `Harbor${harbor.length > 1 ? ` (${data_set})` : ''}: ${values} (${counts})`
  })
  const zeros = no_reward > 0 ? `, ${no_reward} of them 0 for a missing reward` : ''
  const ours = mean === null ? 'Here: no trial was scored' : `Here: mean ${mean.toFixed(3)} over ${trialsText(scored)}${zeros}`
  return [...theirs, `${ours}${failed > 0 ? `; ${failed} failed` : ''}`]
}

const trialsText = (count: number): string => `${count} trial${count === 1 ? '' : 's'}`
