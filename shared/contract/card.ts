import * as z from 'zod'
import { ModelParams } from './evidence.ts'
import { BenchmarkName, Sha256 } from './ids.ts'

/** One file of a data set at a pinned revision. `sha256` is null where it is not known yet; the run records the one it saw. */
export const DataFile = z.object({
  role: z.string(),
  path: z.string(),
  sha256: Sha256.nullable(),
  rows: z.int().min(1),
})
export type DataFile = z.infer<typeof DataFile>

/** An official text read at run time from its pinned upstream file, found there by its hash (design 10). */
export const TextPin = z.object({
  id: z.string(),
  repo: z.string(),
  revision: z.string(),
  path: z.string(),
  symbol: z.string(),
  sha256: Sha256,
})
export type TextPin = z.infer<typeof TextPin>

/** Tables that some scorers read: data of Python packages, pinned by hash and never copied into the repository. */
export const tableNames = [
  'punkt_english',
  'stopwords_english',
  'perceptron_tagger_english',
  'langdetect_profiles',
  'syllapy_dictionary',
] as const
export type TableName = (typeof tableNames)[number]

/** How a benchmark is asked and read; part of a result's identity. */
export const Profile = z.object({
  id: z.string(),
  title: z.string(),
  texts: z.array(TextPin),
  files: z.array(z.string()),
  /** What its scorer reads besides the evidence. */
  tables: z.array(z.enum(tableNames)),
  params: ModelParams,
  epochs: z.int().min(1).max(64),
})
export type Profile = z.infer<typeof Profile>

export const fieldKinds = ['text', 'markdown', 'code', 'choices', 'number', 'checks'] as const

/** The public data of a benchmark: all that the edge and the pages know of it. */
export const Card = z.object({
  name: BenchmarkName,
  display_name: z.string(),
  description: z.string(),
  category: z.string(),
  version: z.int().min(1),
  fingerprint: Sha256,
  evidence: z.enum(['completion']),
  data: z.object({
    repo: z.string(),
    revision: z.string().regex(/^[0-9a-f]{40}$/),
    licence: z.string(),
    gated: z.boolean(),
    files: z.array(DataFile),
  }),
  total_items: z.int().min(1),
  sample_items: z.int().min(1),
  group_label: z.string().nullable(),
  profiles: z.array(Profile).min(1),
  default_profile: z.string(),
  default_selected: z.boolean(),
  metrics: z.array(z.string()).min(1),
  needs: z.array(z.string()),
  estimate: z.object({ input_tokens: z.int(), output_tokens: z.int() }),
  fields: z.array(z.object({ path: z.string(), label: z.string(), as: z.enum(fieldKinds) })),
  setup_notes: z.string().nullable(),
})
export type Card = z.infer<typeof Card>
