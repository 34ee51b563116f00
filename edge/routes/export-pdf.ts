import type { StoredRun } from '#db/store.ts'
import type { Run } from '#shared/contract/api.ts'
import { specDigest } from '#shared/export/bundle.ts'
import { toHex } from '#shared/export/bytes.ts'
import type { Deps } from '../deps.ts'
import { reportOf } from '../report/run-report.ts'
import type { ExportFile } from './export-file.ts'

/**
 * A page for people about an ended run as this visitor sees it. `records` is the JSONL export that he would get: its hash stands on the page.
 * What the record throws passes through.
 */
export function openPdf(deps: Deps, run: StoredRun, view: Run, records: ExportFile, withheld: ReadonlySet<string>): ExportFile {
  const { owner_id: _owner, ...spec } = run.spec
  return {
    name: `benchmark_results_${run.spec.run_id}.pdf`,
    type: 'application/pdf',
    trials: null,
    async *pieces() {
      const digest = deps.openSha256()
      for await (const piece of records.pieces()) digest.update(piece)
      const report = reportOf(view, {
        plan_sha256: specDigest(spec),
        records_sha256: toHex(digest.digest()),
        withheld: withheld.size > 0,
        public_key_fingerprint: deps.signer?.fingerprint ?? null,
        code: [deps.config.version, deps.config.commit].filter(Boolean).join(', commit '),
        service_url: deps.config.public_url.replace(/\/+$/, ''),
      })
      // Most services make none: the library is read when one is asked for.
      const { drawReport } = await import('../report/draw-report.ts')
      yield await drawReport(report)
    },
  }
}
