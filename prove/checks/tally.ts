import { readFileSync } from 'node:fs'
import * as z from 'zod'

const Skipped = z.object({ file: z.string(), title: z.string(), note: z.string().nullable() })
/** Milliseconds of one file of tests: its tests with their hooks, and its start-up by kind. */
const FileTimes = z.object({
  file: z.string(),
  tests: z.number(),
  import: z.number(),
  transform: z.number(),
  setup: z.number(),
  environment: z.number(),
  worker: z.number(),
})
/** What vitest counted, as `tally-reporter.mjs` writes it; `running` are the files of tests that had not ended yet. */
const Tally = z.object({
  passed: z.number(),
  failed: z.number(),
  skipped: z.array(Skipped),
  running: z.array(z.string()),
  files: z.array(FileTimes),
  ended: z.boolean(),
})
export type Skipped = z.infer<typeof Skipped>
export type FileTimes = z.infer<typeof FileTimes>
export type Counts = { passed: number; failed: number; skipped: Skipped[]; files: FileTimes[] }

/** The counts of a step of tests: what was counted before it was cut stays, and a step that failed without a failed test counts as one. */
export function countStep(path: string, failure: string | null): Counts & { failure: string | null } {
  let tally: z.infer<typeof Tally>
  try {
    tally = Tally.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return { passed: 0, failed: 1, skipped: [], files: [], failure: failure ?? 'no counts were written' }
  }
  const { passed, skipped, running, files, ended } = tally
  const cut = ended || running.length === 0 ? '' : ` while it was in ${running.join(', ')}`
  const reason = failure === null && !ended ? 'the tests did not end' : failure
  return { passed, skipped, files, failed: Math.max(tally.failed, reason === null ? 0 : 1), failure: reason && reason + cut }
}
