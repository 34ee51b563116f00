import * as z from 'zod'

/**
 * In which forms a run leaves, in the order in which they are offered. `signs` forms cannot be had without a signing key; `lists_trials` forms
 * hold every trial and tell their number. Each has a writer in `shared/export/formats`.
 */
export const exportFormats = {
  zip: entry('Signed ZIP', 'every record, signed: anyone can check it', 'application/zip', { signs: true }),
  pdf: entry('PDF', 'a short report to print or to pass on', 'application/pdf', { lists_trials: false }),
  md: entry('Markdown', 'the same report as plain text', 'text/markdown; charset=utf-8', { lists_trials: false }),
  json: entry('JSON', 'the run and its items', 'application/json'),
  jsonl: entry('JSONL', 'one record a line', 'application/x-ndjson'),
  csv: entry('CSV', 'one row an item, for a spreadsheet', 'text/csv; charset=utf-8'),
} as const satisfies Record<string, ExportForm>

export type ExportForm = { title: string; text: string; media_type: string; signs: boolean; lists_trials: boolean }
export type ExportFormat = keyof typeof exportFormats
export const exportFormatNames = Object.keys(exportFormats) as [ExportFormat, ...ExportFormat[]] // the keys of a literal
export const ExportFormat = z.enum(exportFormatNames)

function entry(title: string, text: string, media_type: string, { signs = false, lists_trials = true } = {}): ExportForm {
  return { title, text, media_type, signs, lists_trials }
}
