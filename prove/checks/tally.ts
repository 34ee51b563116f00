import { readFileSync } from 'node:fs'
import * as z from 'zod'

/** A failed or skipped test and its reason. */
const Unpassed = z.object({ file: z.string(), title: z.string(), note: z.string().nullable() })
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
  red: z.array(Unpassed),
  skipped: z.array(Unpassed),
  running: z.array(z.string()),
  files: z.array(FileTimes),
  ended: z.boolean(),
})
export type Unpassed = z.infer<typeof Unpassed>
export type FileTimes = z.infer<typeof FileTimes>
/** Counts of a step. `red` lists the failed tests; `failed` also counts failures outside of tests. */
export type Counts = { passed: number; failed: number; red: Unpassed[]; skipped: Unpassed[]; files: FileTimes[] }

/** The counts of a step of tests: what was counted before it was cut stays, and a step that failed without a failed test counts as one. */
export function countStep(path: string, failure: string | null): Counts & { failure: string | null } {
  let tally: z.infer<typeof Tally>
  try {
    tally = Tally.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return { passed: 0, failed: 1, red: [], skipped: [], files: [], failure: failure ?? 'no counts were written' }
  }
  const { passed, red, skipped, running, files, ended } = tally
  const cut = ended || running.length === 0 ? '' : ` while it was in ${running.join(', ')}`
  const reason = failure === null && !ended ? 'the tests did not end' : failure
  return { passed, red, skipped, files, failed: Math.max(tally.failed, reason === null ? 0 : 1), failure: reason && reason + cut }
}
