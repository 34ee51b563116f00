import { type ExportFormat, exportEnding } from '../../contract/export-formats.ts'
import { bundleName } from '../bundle.ts'
import { writeCsv } from './csv.ts'
import type { ExportRun, FormatWriter } from './format.ts'
import { writeHarbor } from './harbor.ts'
import { writeJanus } from './janus.ts'
import { writeJson } from './json.ts'
import { writeJsonl } from './jsonl.ts'
import { writeMarkdown } from './markdown.ts'
import { writePdf } from './pdf.ts'
import { writeZip } from './zip.ts'

/** Who writes each form. */
export const formatWriters: Record<ExportFormat, FormatWriter> = {
  zip: writeZip,
  pdf: writePdf,
  md: writeMarkdown,
  json: writeJson,
  jsonl: writeJsonl,
  csv: writeCsv,
  harbor: writeHarbor,
  janus: writeJanus,
}

/** Under which name a file of this form is offered. */
export function exportName({ view, claims }: Pick<ExportRun, 'view' | 'claims'>, format: ExportFormat): string {
  return format === 'zip' ? bundleName(view.id, claims.exported_at) : `benchmark_results_${view.id}.${exportEnding(format)}`
}
