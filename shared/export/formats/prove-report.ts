import { specDigest, type TrialPages } from '../bundle.ts'
import { toHex } from '../bytes.ts'
import type { ExportRun } from './format.ts'
import { writeJsonl } from './jsonl.ts'
import { type Report, reportOf } from './run-report.ts'

/** The report of a run with the hashes that lead to its records: those of the JSONL export that the same reader gets. */
export async function proveReport(run: ExportRun, pages: TrialPages): Promise<Report> {
  const { claims, withheld, key, openSha256, service_url } = run
  const digest = openSha256()
  for await (const piece of writeJsonl(run, pages)) digest.update(piece)
  return reportOf(run.view, {
    plan_sha256: specDigest(claims.spec),
    records_sha256: toHex(digest.digest()),
    withheld: withheld.size > 0,
    public_key_fingerprint: key?.fingerprint ?? null,
    code: [claims.code_version, claims.git_sha].filter(Boolean).join(', commit '),
    service_url,
  })
}
