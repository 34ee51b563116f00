/** What keeps a demo, replayed, imported, sample, overridden or uploaded result from being taken for the real one: a word, and the sentence that explains it. */
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
} as const
export type LabelName = keyof typeof runLabels
