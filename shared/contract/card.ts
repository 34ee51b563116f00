import * as z from 'zod'
import { CompositeName } from './composite-name.ts'
import { evidenceKinds } from './evidence/evidence.ts'
import { BenchmarkName, Sha256 } from './ids.ts'
import { CallLimits } from './limits.ts'
import { ModelParams } from './message.ts'
import { Needs, questionNeeds } from './resources.ts'
import { byRole } from './role.ts'
import { Rounds, TrialLimits } from './trial-limits.ts'

/** One file of a data set at a pinned revision. `sha256` is null where it is not known yet; the run records the one it saw. */
export const DataFile = z.object({
  role: z.string(),
  path: z.string(),
  sha256: Sha256.nullable(),
  rows: z.int().min(1),
  /** Where it lies, when that is not the data set's own repository. `github`: the archive of a commit, as GitHub packs it; `github-file`: a file of a commit. */
  from: z
    .object({ repo: z.string(), revision: z.string().regex(/^[0-9a-f]{40}$/), host: z.enum(['github', 'github-file']).optional() })
    .optional(),
})
export type DataFile = z.infer<typeof DataFile>

/** The repository of data that are part of the program: their files stand beside it, in the folder of their benchmark. */
export const builtinRepo = 'built-in'

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

/** Tokens of a typical question or verdict, for previews. */
const Estimate = z.object({ input_tokens: z.int(), output_tokens: z.int() })

/**
 * Who takes part beside the tested model unless the run names another. `provider` is null where any that serves the model will do;
 * `schema` says whether a structured reply is asked for, `estimate` what one trial takes of it.
 */
export const ProfileRole = z.object({
  model: z.string(),
  provider: z.string().nullable(),
  params: ModelParams,
  schema: z.boolean(),
  estimate: Estimate,
})
export type ProfileRole = z.infer<typeof ProfileRole>

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
  /** Items of the pinned data that it asks, where it leaves some of the card's out. */
  total_items: z.int().min(1).optional(),
  /** Where its model is given other limits of time and attempts than is usual. */
  limits: CallLimits.partial().optional(),
  /** How far a trial may go; absent where nothing bounds it. */
  trial_limits: TrialLimits.partial().optional(),
  /** Where its trials are conversations whose end the models decide. */
  rounds: Rounds.optional(),
  /** Models that take part beside the tested one. */
  roles: byRole(ProfileRole).optional(),
})
export type Profile = z.infer<typeof Profile>

export const fieldKinds = ['text', 'markdown', 'code', 'choices', 'number', 'checks', 'verdict', 'documents', 'pictures'] as const

/** The public data of a benchmark: all that the edge and the pages know of it. */
export const Card = z.object({
  name: BenchmarkName,
  display_name: z.string(),
  description: z.string(),
  category: z.string(),
  version: z.int().min(1),
  fingerprint: Sha256,
  evidence: z.enum(evidenceKinds),
  data: z.object({
    repo: z.string(),
    revision: z.string().regex(/^[0-9a-f]{40}$/),
    licence: z.string(),
    gated: z.boolean(),
    files: z.array(DataFile),
  }),
  total_items: z.int().min(1),
  sample_items: z.int().min(1),
  /** How a percentage of its items is rounded, where its official rule is not to round down. */
  subset_rounding: z.enum(['floor', 'ceil']).optional(),
  /** The score of several benchmarks that it counts in, where there is one. */
  composite: CompositeName.optional(),
  group_label: z.string().nullable(),
  /** Items of each group in the pinned data, where they were counted: intervals of groups rest on them. */
  group_items: z.record(z.string(), z.int().min(1)).nullish(),
  profiles: z.array(Profile).min(1),
  default_profile: z.string(),
  default_selected: z.boolean(),
  metrics: z.array(z.string()).min(1),
  /** What a trial of it needs besides its model; questions need nothing more. */
  needs: Needs.default(questionNeeds),
  /** What the model must take; its context must hold `min_context` tokens, question and answer together. */
  input: z
    .array(z.enum(['text', 'image']))
    .min(1)
    .max(2)
    .refine(([first, second]) => first === 'text' && second !== 'text', 'begins with text, and names each kind once')
    .default(['text']),
  min_context: z.int().min(1).nullable().default(null),
  estimate: Estimate,
  fields: z.array(z.object({ path: z.string(), label: z.string(), as: z.enum(fieldKinds) })),
  setup_notes: z.string().nullable(),
})
export type Card = z.infer<typeof Card>
