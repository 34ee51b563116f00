import * as z from 'zod'

/**
 * In which forms a run leaves, in the order in which they are offered. `signs` forms cannot be had without a signing key; `lists_trials` forms
 * hold every trial and tell their number; `encloses` forms hold what trials left behind; `episodes` forms are of runs with terminal tasks alone. `ending` is
 * that of the file's name. Each has a writer in `shared/export/formats`.
 */
export const exportFormats = {
  zip: entry('Signed ZIP', 'every record, signed: anyone can check it', 'application/zip', { signs: true, encloses: true }),
  pdf: entry('PDF', 'a short report to print or to pass on', 'application/pdf', { lists_trials: false }),
  md: entry('Markdown', 'the same report as plain text', 'text/markdown; charset=utf-8', { lists_trials: false }),
  json: entry('JSON', 'the run and its items', 'application/json'),
  jsonl: entry('JSONL', 'one record a line', 'application/x-ndjson'),
  csv: entry('CSV', 'one row an item, for a spreadsheet', 'text/csv; charset=utf-8'),
  harbor: entry('Harbor job', 'episodes of terminal tasks as a job folder for Harbor’s tools', 'application/zip', {
    ...{ lists_trials: false, encloses: true, episodes: true, ending: 'harbor.zip' },
  }),
  janus: entry('Janus report', 'composite, parts and items of the Janus suite', 'application/json', {
    ...{ lists_trials: false, suite: 'janus_', ending: 'janus.json' },
  }),
} as const satisfies Record<string, ExportForm>

export type ExportForm = {
  title: string
  text: string
  media_type: string
  signs: boolean
  lists_trials: boolean
  encloses: boolean
  episodes: boolean
  /** What names of benchmarks begin with of which a run must have one, or null for any run. */
  suite: string | null
  ending: string | null
}
export type ExportFormat = keyof typeof exportFormats
export const exportFormatNames = Object.keys(exportFormats) as [ExportFormat, ...ExportFormat[]] // the keys of a literal
export const ExportFormat = z.enum(exportFormatNames)

/** What the name of a file in this form ends with. */
export const exportEnding = (format: ExportFormat): string => exportFormats[format].ending ?? format

function entry(title: string, text: string, media_type: string, what: Partial<ExportForm> = {}): ExportForm {
  return { title, text, media_type, signs: false, lists_trials: true, encloses: false, episodes: false, suite: null, ending: null, ...what }
}
