import * as z from 'zod'
import { CreateRun, RunName, suites, toolCallings } from '#shared/contract/create-run.ts'
import { samplings, visibilities } from '#shared/contract/run.ts'
import { sweptLevels } from '#shared/contract/swept-levels.ts'
import { agentPresets, findPreset } from '#shared/episode/agent-presets.ts'
import { integer, names, number, type Option } from './command.ts'
import { UsageError } from './io.ts'
import { itemsOf } from './item-option.ts'
import { limitOptions, limitsOf, limitValues } from './limit-options.ts'
import type { Given } from './response-file.ts'
import { RoutingOption } from './routing-option.ts'

const presetIds = agentPresets.map(({ id }) => id)

/** Options that say what is asked; the same for `run` and `plan`. */
export const runOptions = {
  model: {
    help: 'model id or slug, or PROVIDER/MODEL; repeat it for a run of each (default: DEFAULT_MODEL, then your default at the service)',
    value: 'MODEL',
    short: 'm',
    multiple: true,
  },
  benchmark: { help: 'benchmark; repeat it or separate with commas', value: 'NAME', short: 'b', multiple: true },
  suite: { help: 'a set of benchmarks by its name, in place of --benchmark', value: 'NAME', choices: suites },
  item: {
    help: 'ask these items only: a key of the data set, an id, a range of ids (0-99), or group:NAME; repeat it, separate with commas, or name a file with a name on each line (@FILE)',
    value: 'NAME',
    multiple: true,
  },
  limit: { help: 'at most so many items per benchmark', value: 'N' },
  subset: { help: 'percentage of the items, e.g. 5%', value: 'PCT' },
  seed: { help: 'draws another subset; without it every model gets the same items', value: 'TEXT' },
  sampling: { help: "how a subset is drawn (default sha256); legacy gives the predecessor's items", value: 'WAY', choices: samplings },
  epochs: { help: 'ask every item so many times', value: 'K', short: 'k' },
  profile: { help: 'how it is asked and read: official or builtin', value: 'NAME' },
  data: { help: 'where the items come from', value: 'KIND', choices: ['auto', 'pinned', 'sample', 'override'] },
  provider: { help: 'provider of the model, when several have it', value: 'NAME' },
  concurrency: { help: 'requests at once (default 64)', value: 'N' },
  temperature: { help: 'sampling temperature', value: 'X' },
  'top-p': { help: 'nucleus sampling', value: 'X' },
  'max-tokens': { help: 'longest answer in tokens', value: 'N' },
  'reasoning-effort': { help: 'as the provider names it; repeat it for a run at each level', value: 'LEVEL', multiple: true },
  'thinking-budget': { help: 'most tokens of reasoning, in place of a level; repeat it for a run with each', value: 'N', multiple: true },
  'sweep-thinking': { help: `a run at each level: ${sweptLevels.join(', ')}; those that the model does not take are left out` },
  routing: {
    help: 'upstream providers that OpenRouter may choose, e.g. order=deepinfra,together; repeat it, e.g. allow_fallbacks=false',
    value: 'KEY=VALUE',
    multiple: true,
  },
  'tool-calling': {
    help: 'how the model calls tools: as its server has it, or by the text of its answers',
    value: 'WAY',
    choices: toolCallings,
  },
  'response-file': {
    help: 'replay these answers in place of a model: JSON, JSON lines, an exported ZIP, or a text for every trial',
    value: 'PATH',
  },
  'response-text': { help: 'replay this answer for every trial in place of a model', value: 'TEXT' },
  judge: { help: "model that judges the answers, in place of the benchmark's own", value: 'MODEL' },
  'judge-provider': { help: 'provider of the judge, when several have it', value: 'NAME' },
  'user-model': { help: 'model that plays the user in dialogues', value: 'MODEL' },
  'allow-self-judge': { help: 'let the model judge its own answers' },
  'budget-usd': { help: 'stop when so much has been spent', value: 'USD' },
  priority: { help: 'from -100 to 100', value: 'N' },
  name: { help: 'what the run is called in lists', value: 'TEXT' },
  tag: { help: 'a word to find it by; repeat it for more', value: 'WORD', multiple: true },
  price: { help: 'dollars per million tokens, in and out, e.g. 0.15/0.60, where the provider does not say', value: 'IN/OUT' },
  agent: {
    help: 'a command-line agent at its pinned version that works at the machines of terminal tasks',
    value: 'NAME',
    choices: presetIds,
  },
  'agent-command': {
    help: 'what works at the machines of terminal tasks, run by bash: it finds the task in $BENCH_INSTRUCTION_FILE and the model at $OPENAI_BASE_URL',
    value: 'COMMAND',
  },
  'agent-install': { help: 'run before as root, once in each machine, to bring what --agent-command runs', value: 'COMMAND' },
  visibility: { help: 'who may see it; private unless the model is the demo model', value: 'KIND', choices: visibilities },
  ...limitOptions,
} satisfies Record<string, Option>

const percent = z
  .string()
  .regex(/^\d{1,3} ?%?$/, 'must be a whole percentage such as 5%')
  .transform((text) => Number.parseInt(text, 10))
  .pipe(z.int().min(1, 'must be at least 1%').max(100, 'must be at most 100%'))

const price = z
  .string()
  .regex(/^\d+(\.\d+)?\/\d+(\.\d+)?$/, 'must be two prices such as 0.15/0.60')
  .transform((text) => text.split('/').map(Number) as [number, number]) // two by the pattern

/** Values of a repeated option, each named once. */
const once = (option: string) =>
  z.array(z.string()).refine((all) => new Set(all).size === all.length, `names the same twice: give each ${option} once`)

export const RunValues = z.object({
  model: once('--model').optional(),
  benchmark: names('is needed').optional(),
  suite: z.enum(suites).optional(),
  item: z.array(z.string().trim().min(1, 'names nothing')).optional(),
  limit: integer(1, 10_000_000).optional(),
  subset: percent.optional(),
  seed: z.string().max(128, 'is too long').optional(),
  sampling: z.enum(samplings).optional(),
  epochs: integer(1, 100).optional(),
  profile: z.string().optional(),
  data: z.enum(['auto', 'pinned', 'sample', 'override']).default('auto'),
  provider: z.string().optional(),
  concurrency: integer(1, 2000).optional(),
  temperature: number(0, 2).optional(),
  'top-p': number(0, 1).optional(),
  'max-tokens': integer(1, 1_000_000).optional(),
  'reasoning-effort': once('--reasoning-effort').optional(),
  'thinking-budget': once('--thinking-budget')
    .pipe(z.array(integer(1, 1_000_000)))
    .optional(),
  'sweep-thinking': z.boolean().default(false),
  routing: RoutingOption.optional(),
  'tool-calling': z.enum(toolCallings).optional(),
  'response-file': z.string().optional(),
  'response-text': z.string().optional(),
  judge: z.string().optional(),
  'judge-provider': z.string().optional(),
  'user-model': z.string().optional(),
  'allow-self-judge': z.boolean().default(false),
  'budget-usd': number(0, 1e9).optional(),
  priority: integer(-100, 100).default(0),
  name: RunName.optional(),
  tag: z.array(z.string()).optional(),
  price: price.optional(),
  agent: z.enum(presetIds).optional(),
  'agent-command': z.string().optional(),
  'agent-install': z.string().optional(),
  visibility: z.enum(visibilities).optional(),
  ...limitValues,
})
export type RunValues = z.infer<typeof RunValues>

/** Model and temperature for a command that names none. */
type RunDefaults = { model?: string | undefined; temperature?: number | undefined }

/** Reads DEFAULT_MODEL, with `model` as its default, and DEFAULT_TEMPERATURE. Throws `UsageError`. */
export function runDefaults(env: Record<string, string | undefined>, model?: string): RunDefaults {
  const text = env.DEFAULT_TEMPERATURE?.trim()
  const temperature = text ? number(0, 2).safeParse(text) : undefined
  if (temperature && !temperature.success)
    throw new UsageError(`DEFAULT_TEMPERATURE is to be a number from 0 to 2, not ${JSON.stringify(text)}.`)
  return { model: env.DEFAULT_MODEL?.trim() || model, temperature: temperature?.data }
}

/** The bodies of `POST /api/runs` for these options: one for each model and way of reasoning, alike in everything else. */
export function createRunsOf(values: RunValues, given: Given | null, defaults: RunDefaults = {}): CreateRun[] {
  const otherwise = given?.label.slice(0, 300) ?? defaults.model
  const models = values.model ?? (otherwise === undefined ? [] : [otherwise])
  if (models.length === 0) throw new UsageError('--model: is needed')
  const asked = thinkingOf(values)
  return models.flatMap((model) =>
    asked.map((thinking) => {
      const named = asked.length > 1 ? `${values.name ?? model} · ${thinkingText(thinking)}`.slice(-120) : values.name
      const temperature = values.temperature ?? defaults.temperature
      return createRunOf({ ...values, temperature }, { model_id: model, ...thinking, name: named, replay: given?.answers })
    }),
  )
}

type Thinking = Pick<CreateRun, 'reasoning_effort' | 'reasoning_budget_tokens'>

/** Each way in which the model shall reason: a level, a budget, or as it does by itself. */
function thinkingOf(values: RunValues): Thinking[] {
  const given = values['reasoning-effort'] ?? []
  if (values['sweep-thinking'] && given.length > 0)
    throw new UsageError('--sweep-thinking names the levels itself: leave --reasoning-effort out.')
  const levels = values['sweep-thinking'] ? sweptLevels : given
  const budgets = values['thinking-budget'] ?? []
  const asked = [
    ...levels.map((reasoning_effort) => ({ reasoning_effort })),
    ...budgets.map((reasoning_budget_tokens) => ({ reasoning_budget_tokens })),
  ]
  return asked.length > 0 ? asked : [{}]
}

const thinkingText = ({ reasoning_effort, reasoning_budget_tokens }: Thinking): string =>
  reasoning_budget_tokens == null ? (reasoning_effort ?? '') : `${reasoning_budget_tokens} tokens`

/** How runs of one command differ, for people. */
export function titleOf({ model_id, ...thinking }: CreateRun): string {
  if (thinking.reasoning_budget_tokens != null) return `${model_id}, reasoning budget ${thinkingText(thinking)}`
  return thinking.reasoning_effort == null ? model_id : `${model_id}, reasoning effort ${thinking.reasoning_effort}`
}

type Own = Partial<Pick<CreateRun, 'model_id' | 'reasoning_effort' | 'reasoning_budget_tokens' | 'name' | 'replay'>>

function createRunOf(values: RunValues, own: Own): CreateRun {
  if (values.limit !== undefined && values.subset !== undefined) throw new UsageError('Give --limit or --subset, not both.')
  if (values.benchmark === undefined && values.suite === undefined)
    throw new UsageError('--benchmark: is needed; --suite default takes those that are selected by default.')
  if (values.benchmark !== undefined && values.suite !== undefined) throw new UsageError('Give --benchmark or --suite, not both.')
  if (values['judge-provider'] !== undefined && values.judge === undefined)
    throw new UsageError('--judge-provider says where the judge is: name it with --judge.')
  if (values.agent !== undefined && (values['agent-command'] ?? values['agent-install']) !== undefined)
    throw new UsageError('Give --agent or --agent-command, not both.')
  if (values['agent-install'] !== undefined && values['agent-command'] === undefined)
    throw new UsageError('--agent-install brings what a command needs: name that with --agent-command.')
  const body = CreateRun.safeParse({
    ...own,
    selected_benchmarks: values.benchmark,
    suite: values.suite,
    subset_pct: values.subset ?? 100,
    subset_count: values.limit,
    subset_seed: values.seed,
    items: itemsOf(values),
    sampling: values.sampling,
    epochs: values.epochs,
    profile: values.profile,
    data: values.data,
    provider: values.provider,
    concurrency: values.concurrency ?? 64,
    temperature: values.temperature,
    top_p: values['top-p'],
    max_tokens: values['max-tokens'],
    routing: values.routing,
    tool_calling: values['tool-calling'],
    budget_usd: values['budget-usd'],
    priority: values.priority,
    visibility: values.visibility,
    tags: values.tag,
    ...(values.price && {
      price: { input_per_million_usd: values.price[0], output_per_million_usd: values.price[1] },
    }),
    ...(values.judge !== undefined && { judge: { model_id: values.judge, provider: values['judge-provider'] } }),
    ...(values['user-model'] !== undefined && { roles: { user: { model_id: values['user-model'] } } }),
    ...(values['allow-self-judge'] && { allow_self_judge: true }),
    ...(values.agent !== undefined && { agent: findPreset(values.agent)?.agent }),
    ...(values['agent-command'] !== undefined && { agent: { command: values['agent-command'], install: values['agent-install'] } }),
    ...limitsOf(values),
  })
  if (body.success) return body.data
  throw new UsageError(body.error.issues.map((issue) => `${optionOf(issue.path)}: ${issue.message}`).join('\n'))
}

const optionNames: Record<string, string> = {
  model_id: 'model',
  selected_benchmarks: 'benchmark',
  subset_pct: 'subset',
  subset_count: 'limit',
  subset_seed: 'seed',
  items: 'item',
}

/** The option that held a field of the body. */
function optionOf([field = '', inner]: readonly PropertyKey[]): string {
  const name = field === 'agent' ? `agent-${String(inner)}` : String(field)
  return `--${optionNames[name] ?? name.replaceAll('_', '-')}`
}
