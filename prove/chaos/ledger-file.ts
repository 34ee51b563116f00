import { readFileSync } from 'node:fs'
import * as z from 'zod'
import type { LedgerEntry } from '../provider/ledger.ts'

const Entry: z.ZodType<LedgerEntry> = z.object({
  id: z.int(),
  prompt_sha256: z.string(),
  keyed: z.boolean(),
  status: z.int(),
  fault: z.string().nullable(),
  started_ms: z.number(),
  ended_ms: z.number(),
  input_tokens: z.int(),
  output_tokens: z.int(),
})

/** The provider's account from its file, in the order in which requests arrived. */
export function readLedger(path: string): LedgerEntry[] {
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => Entry.parse(JSON.parse(line))).sort((a, b) => a.started_ms - b.started_ms)
}
