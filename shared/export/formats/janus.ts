import type { PlannedBenchmark } from '../../contract/run.ts'
import { suiteOf, versionOf } from '../../janus/profiles.ts'
import { type ReportTrial, reportHead, reportItem } from '../../janus/report.ts'
import type { TrialPages } from '../bundle.ts'
import type { Bytes } from '../byte-source.ts'
import { type ExportRun, encode, shownPages } from './format.ts'

/** By its official name, what a run was asked; of several it is the competition. */
function suiteIn(planned: readonly Pick<PlannedBenchmark, 'name' | 'profile' | 'data'>[]): string {
  if (planned.some(({ data }) => data.private)) return 'private/test'
  const only = planned.length === 1 ? planned[0]! : undefined
  return only?.name === 'janus_public' ? suiteOf(only.profile) : 'janus/intelligence'
}

/** A report as the Janus suite writes it: composite with its parts, benchmarks, and every item of the suite. Other benchmarks of the run are left out. */
export async function* writeJanus(run: ExportRun, pages: TrialPages): AsyncGenerator<Bytes> {
  const trials: ReportTrial[] = []
  for await (const page of shownPages(run, pages))
    for (const trial of page) if (trial.record.benchmark.startsWith('janus_')) trials.push(trial)
  const { view } = run
  const planned = view.spec.benchmarks.filter(({ name }) => name.startsWith('janus_'))
  const version = versionOf(planned[0]?.profile ?? 'janus-v2')
  const head = reportHead(
    {
      run_id: view.id,
      suite: suiteIn(planned),
      target_url: run.janus?.target_url ?? view.spec.model.provider,
      model: view.spec.model.slug,
      started_at: view.started_at,
      completed_at: view.completed_at,
    },
    trials,
    version,
    run.janus?.weights,
  )
  yield encode(`${JSON.stringify(head).slice(0, -1)},"results":[`)
  for (const [index, trial] of trials.entries()) yield encode(`${index === 0 ? '' : ','}\n${JSON.stringify(reportItem(trial, version))}`)
  yield encode('\n]}\n')
}
