import type { RunMark } from '../contract/data-source.ts'
import type { RunSpec } from '../contract/run.ts'

/**
 * What keeps a demo, replayed, imported, sample, overridden, uploaded or chosen result from being taken for the real one: a word, and the sentence that
 * explains it.
 */
export const runLabels = {
  demo: { word: 'demo model', title: 'The answers come from a built-in model that invents them. They measure nothing.' },
  replay: {
    word: 'replayed',
    title: 'The answers were given with the run: no model was asked for them, and nothing shows who wrote them.',
  },
  regrade: {
    word: 'regraded',
    title: 'Nobody worked in this run: what the episodes of an earlier run handed over was graded again, by the tests of now.',
  },
  imported: {
    word: 'imported',
    title: 'Not run here: read from the results of a Harbor job. What it asked, and whether that was so, only those results tell.',
  },
  sample: { word: 'sample data', title: 'Asked on a few invented items in the format of the data set, not on the data set itself.' },
  override: { word: 'own data', title: 'Asked on a file the operator put in place of the pinned data set; it is named by its hash.' },
  upload: { word: 'uploaded task', title: 'The task was uploaded by whoever owns the run; its archive is named by its hash.' },
  chosen: {
    word: 'chosen items',
    title: 'Whoever started the run chose its items: a score speaks of these items, not of the benchmark, and never ranks.',
  },
} as const
export type LabelName = keyof typeof runLabels

/** The labels of a run. `demo` says whether its answers are invented. */
export function labelsOf(spec: Pick<RunSpec, 'replay' | 'regrade' | 'imported' | 'benchmarks'>, demo: boolean): RunMark[] {
  const labels = new Set<RunMark>(demo ? ['demo'] : spec.regrade ? ['regrade'] : spec.replay ? ['replay'] : [])
  if (spec.imported) labels.add('imported')
  for (const { data } of spec.benchmarks) if (data.source !== 'pinned') labels.add(data.source)
  if (spec.benchmarks.some(({ chosen }) => chosen)) labels.add('chosen')
  return [...labels]
}
