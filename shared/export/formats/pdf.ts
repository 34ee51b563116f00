import type { TrialPages } from '../bundle.ts'
import type { Bytes } from '../byte-source.ts'
import type { ExportRun } from './format.ts'
import { proveReport } from './prove-report.ts'

/** A short report for people, on A4. */
export async function* writePdf(run: ExportRun, pages: TrialPages): AsyncGenerator<Bytes> {
  const report = await proveReport(run, pages)
  // Few are asked for: the library is read when one is.
  const { drawReport } = await import('./draw-report.ts')
  yield await drawReport(report)
}
