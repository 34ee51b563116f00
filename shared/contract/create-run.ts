import * as z from 'zod'
import { askedParams, ProviderId } from './asked-params.ts'
import { CommandAgent } from './command-agent.ts'
import { mostEpochs } from './epochs.ts'
import { ItemChoice } from './item-choice.ts'
import { CallLimits } from './limits.ts'
import { ReplayAnswers } from './replay.ts'
import { byRole } from './role.ts'
import { Routing } from './routing.ts'
import { samplings, visibilities } from './run.ts'
import { spokenText } from './spoken-text.ts'
import { TeamId } from './team-place.ts'
import { Price } from './usage.ts'

/** Ways in which a model may call tools. */
export const toolCallings = ['native', 'text'] as const

/** Sets of benchmarks that have a name. */
export const suites = ['default'] as const

/** What people call a run; it says nothing about how it was asked. */
export const RunName = spokenText(120)
/** Words by which runs are found again; each once. */
export const RunTags = z
  .array(spokenText(40))
  .max(20)
  .transform((tags) => [...new Set(tags)])

/** A model that is to take a role; any provider that serves it where none is named. */
const RoleModel = z.strictObject({ model_id: z.string().min(1).max(300), provider: ProviderId.nullish() })

/** Body of `POST /api/runs`. The first nine fields are the predecessor's; the rest stands beside them. */
export const CreateRun = z.strictObject({
  model_id: askedParams.model_id,
  subset_pct: z.int().min(1).max(100).default(100),
  subset_count: z.int().min(1).max(10_000_000).nullish(),
  subset_seed: z.string().max(128).nullish(),
  /** Benchmarks by name. One of this, `suite` and `items` is needed: nobody asks for everything by leaving something out. */
  selected_benchmarks: z.array(z.string().max(60)).max(100).nullish(),
  /** Former name of `selected_benchmarks`. */
  benchmark_names: z.array(z.string().max(60)).max(100).nullish(),
  /** Only these items, by benchmark; `subset_pct` or `subset_count` then draw among them. */
  items: ItemChoice.nullish(),
  config: z.record(z.string(), z.json()).nullish(),
  provider: askedParams.provider,
  epochs: z.int().min(1).max(mostEpochs).nullish(),
  profile: z.string().max(40).nullish(),
  sampling: z.enum(samplings).default('sha256'),
  data: z.enum(['auto', 'pinned', 'sample', 'override']).default('auto'),
  concurrency: askedParams.concurrency.default(64),
  priority: z.int().min(-100).max(100).default(0),
  temperature: askedParams.temperature,
  top_p: askedParams.top_p,
  max_tokens: askedParams.max_tokens,
  reasoning_effort: askedParams.reasoning_effort,
  /** In place of a level. */
  reasoning_budget_tokens: askedParams.reasoning_budget_tokens,
  /** Providers behind a router that may answer; other kinds of providers refuse it. */
  routing: Routing.nullish(),
  /** How the model calls tools, where it is asked with any: as its server has it, or by the text of its answers. */
  tool_calling: z.enum(toolCallings).nullish(),
  /** Without one: private, or public where the model's answers are invented, as the demo model's are. */
  visibility: z.enum(visibilities).nullish(),
  budget_usd: askedParams.budget_usd,
  max_failure_share: z.number().min(0).max(1).default(0.01),
  /** Judges in place of the profiles' own, for every benchmark of the run whose answers are judged. */
  judge: RoleModel.nullish(),
  /** Helpers in place of the profiles' own, by role; `judge` above is a short way to name that one. */
  roles: byRole(RoleModel).nullish(),
  allow_self_judge: z.boolean().nullish(),
  /** A set of benchmarks by its name, in place of `selected_benchmarks`: `default` holds those marked `default_selected`. */
  suite: z.enum(suites).nullish(),
  /** What the tested model costs, where its provider does not say or says otherwise; frozen with the run. */
  price: Price.nullish(),
  name: RunName.nullish(),
  tags: RunTags.nullish(),
  /** Limits of time and attempts in place of the profiles' own, for every benchmark of the run. */
  limits: CallLimits.partial().strict().nullish(),
  /** Answers in place of a model's, which is then not asked: `model_id` only says where they come from. */
  replay: ReplayAnswers.nullish(),
  /** A team of yours that the run belongs to, by its id; without one it is your own. */
  team: TeamId.nullish(),
  /** A program that works at the machines of terminal tasks; `profile` is then `command`. */
  agent: CommandAgent.nullish(),
})
export type CreateRun = z.infer<typeof CreateRun>
