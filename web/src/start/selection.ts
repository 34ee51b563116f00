import type { CreateRun } from '#shared/contract/create-run.ts'
import { ItemChoice } from '#shared/contract/item-choice.ts'
import { visibilities } from '#shared/contract/run.ts'
import { type SweptLevel, sweptLevels } from '#shared/contract/swept-levels.ts'
import type { TeamId } from '#shared/contract/team-place.ts'

type Visibility = (typeof visibilities)[number]
type Provided = { provider: string } | undefined

/** What somebody has chosen on the start page; all of it stands in the address. */
export type Selection = {
  model: string | undefined
  provider: string | undefined
  /** undefined: nothing chosen yet, so the cards' own defaults apply. */
  benchmarks: string[] | undefined
  /** undefined: nothing chosen, so `defaultPct` of the model applies. */
  pct: number | undefined
  /** Items a benchmark; wins over `pct`. */
  count: number | undefined
  /** Names of items by benchmark; they count where that benchmark is the only one. */
  items: ItemChoice | undefined
  /** Further models that are asked the same. */
  also: string[] | undefined
  /** Levels of reasoning that get a run each. */
  levels: SweptLevel[] | undefined
  seed: string | undefined
  /** How a share is drawn; undefined: by SHA-256. */
  sampling: 'legacy' | undefined
  epochs: number | undefined
  profile: string | undefined
  data: 'auto' | 'sample' | 'override'
  concurrency: number
  budget: number | undefined
  /** Judges in place of the benchmarks' own. */
  judge: string | undefined
  judgeProvider: string | undefined
  selfJudge: boolean
  /** undefined: nothing chosen, so `defaultVisibility` of the model applies. */
  visibility: Visibility | undefined
  /** Id of the team that the run is for; undefined: one's own. */
  team: string | undefined
  /** What the run is called in lists. */
  name: string | undefined
  temperature: number | undefined
  topP: number | undefined
  maxTokens: number | undefined
  reasoning: string | undefined
  /** Most tokens of reasoning, in place of a level. */
  reasoningBudget: number | undefined
  /** Slugs of upstream providers, by commas, the first to be tried first. */
  upstream: string | undefined
  /** Whether other upstream providers may step in; undefined: they may. */
  fallbacks: 'never' | undefined
  /** Share of trials that may fail before the run counts as incomplete, in percent. */
  failuresPct: number | undefined
  /** US dollars per million tokens, where the provider does not say. */
  priceIn: number | undefined
  priceOut: number | undefined
}

export const subsets = [1, 5, 10, 25, 50, 100] as const
export const defaultConcurrency = 64

/** Nobody starts with the dearest choice: a twentieth of everything, or all of the few sample rows that the demo model is asked. */
export const defaultPct = (model: Provided): number => (model?.provider === 'demo' ? 100 : 5)
/** What a real key pays for is its owner's until he shares it. */
export const defaultVisibility = (model: Provided): Visibility => (model === undefined || model.provider === 'demo' ? 'public' : 'private')

type Search = Record<string, string | string[] | undefined>

/** Reads a selection from the address; what is missing or makes no sense falls back to the default. */
export function readSelection(search: Search): Selection {
  const text = (key: string) => (typeof search[key] === 'string' && search[key] !== '' ? (search[key] as string) : undefined)
  const int = (key: string, min: number, max: number) => {
    const value = Number(text(key) ?? Number.NaN)
    return Number.isInteger(value) && value >= min && value <= max ? value : undefined
  }
  const number = (key: string, min: number, max: number) => {
    const value = Number(text(key) ?? Number.NaN)
    return value >= min && value <= max ? value : undefined
  }
  const list = text('benchmarks')
  return {
    model: text('model'),
    provider: text('provider'),
    benchmarks: list === undefined ? undefined : list === 'none' ? [] : list.split(',').filter(Boolean),
    pct: int('pct', 1, 100),
    // None is not all: the plan refuses it with a sentence.
    count: int('count', 0, 10_000_000),
    items: readItems(text('items')),
    also: listIn(text('also')),
    levels: readLevels(text('levels')),
    seed: text('seed')?.slice(0, 128),
    sampling: text('sampling') === 'legacy' ? 'legacy' : undefined,
    epochs: int('epochs', 1, 100),
    profile: text('profile')?.slice(0, 40),
    data: (['sample', 'override'] as const).find((one) => one === text('data')) ?? 'auto',
    concurrency: int('concurrency', 1, 2000) ?? defaultConcurrency,
    budget: number('budget', 0, 1e9),
    judge: text('judge')?.slice(0, 300),
    judgeProvider: text('judge_provider')?.slice(0, 60),
    selfJudge: text('self_judge') === '1',
    visibility: visibilities.find((one) => one === text('visibility')),
    team: text('team')?.slice(0, 36),
    name: text('name')?.slice(0, 120),
    temperature: number('temperature', 0, 2),
    topP: number('top_p', Number.MIN_VALUE, 1),
    maxTokens: int('max_tokens', 1, 1_000_000),
    reasoning: text('reasoning')?.slice(0, 20),
    reasoningBudget: int('reasoning_budget', 1, 1_000_000),
    upstream: text('upstream')?.slice(0, 300),
    fallbacks: text('fallbacks') === 'never' ? 'never' : undefined,
    failuresPct: number('failures', 0, 100),
    priceIn: number('price_in', 0, 1e6),
    priceOut: number('price_out', 0, 1e6),
  }
}

const listIn = (text: string | undefined): string[] | undefined => {
  const all = text?.split(',').flatMap((one) => one.trim() || []) ?? []
  return all.length > 0 ? all : undefined
}

/** Levels in their own order; undefined where none is named. */
function readLevels(text: string | undefined): SweptLevel[] | undefined {
  const named = listIn(text)
  const levels = sweptLevels.filter((level) => named?.includes(level))
  return levels.length > 0 ? levels : undefined
}

function readItems(text: string | undefined): ItemChoice | undefined {
  try {
    return text === undefined ? undefined : ItemChoice.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** The names of the items that are asked: those of the only benchmark. */
export function chosenNames({ items }: Pick<Selection, 'items'>, benchmarks: readonly string[]): string[] {
  const [name, ...others] = benchmarks
  return name === undefined || others.length > 0 ? [] : (items?.[name] ?? [])
}

/** The address of a selection; defaults are left out, so short choices have short links. */
export function writeSelection(selection: Selection): Record<string, string | undefined> {
  const { benchmarks, pct, concurrency, data } = selection
  const plain = (value: string | number | undefined) => (value === undefined ? undefined : String(value))
  return {
    model: selection.model,
    provider: selection.provider,
    benchmarks: benchmarks && (benchmarks.join(',') || 'none'),
    pct: selection.count !== undefined ? undefined : plain(pct),
    count: plain(selection.count),
    items: selection.items && JSON.stringify(selection.items),
    also: selection.also?.join(',') || undefined,
    levels: selection.levels?.join(',') || undefined,
    seed: selection.seed,
    sampling: selection.sampling,
    epochs: plain(selection.epochs),
    profile: selection.profile,
    data: data === 'auto' ? undefined : data,
    concurrency: concurrency === defaultConcurrency ? undefined : String(concurrency),
    budget: plain(selection.budget),
    judge: selection.judge,
    judge_provider: selection.judgeProvider,
    self_judge: selection.selfJudge ? '1' : undefined,
    visibility: selection.visibility,
    team: selection.team,
    name: selection.name,
    temperature: plain(selection.temperature),
    top_p: plain(selection.topP),
    max_tokens: plain(selection.maxTokens),
    reasoning: selection.reasoning,
    reasoning_budget: plain(selection.reasoningBudget),
    upstream: selection.upstream,
    fallbacks: selection.fallbacks,
    failures: plain(selection.failuresPct),
    price_in: plain(selection.priceIn),
    price_out: plain(selection.priceOut),
  }
}

/** The request a selection stands for, or undefined while no model or no benchmark is chosen. `model` decides what was left open. */
export function toCreateRun(selection: Selection, benchmarks: readonly string[], model?: Provided): Partial<CreateRun> | undefined {
  if (!selection.model || benchmarks.length === 0) return undefined
  const { priceIn, priceOut, failuresPct } = selection
  const names = chosenNames(selection, benchmarks)
  return {
    model_id: selection.model,
    provider: selection.provider ?? null,
    selected_benchmarks: [...benchmarks],
    subset_pct: selection.pct ?? (names.length > 0 ? 100 : defaultPct(model)),
    subset_count: selection.count ?? null,
    subset_seed: selection.seed ?? null,
    ...(names.length > 0 && { items: { [benchmarks[0]!]: names } }),
    ...(selection.sampling && { sampling: selection.sampling }),
    epochs: selection.epochs ?? null,
    profile: selection.profile ?? null,
    data: selection.data,
    concurrency: selection.concurrency,
    budget_usd: selection.budget ?? null,
    // A team's admins decide who reads its runs: without their word the service's default holds.
    visibility: selection.visibility ?? (selection.team ? null : defaultVisibility(model)),
    ...(selection.team && { team: selection.team as TeamId }), // the service reads it
    temperature: selection.temperature ?? null,
    top_p: selection.topP ?? null,
    max_tokens: selection.maxTokens ?? null,
    reasoning_effort: selection.reasoning ?? null,
    ...(selection.reasoningBudget !== undefined && { reasoning_budget_tokens: selection.reasoningBudget }),
    ...routingOf(selection),
    ...(failuresPct !== undefined && { max_failure_share: failuresPct / 100 }),
    ...(priceIn !== undefined &&
      priceOut !== undefined && {
        price: { input_per_million_usd: priceIn, output_per_million_usd: priceOut, cached_input_per_million_usd: null },
      }),
    ...(selection.name?.trim() && { name: selection.name.trim() }),
    ...(selection.judge && { judge: { model_id: selection.judge, provider: selection.judgeProvider ?? null } }),
    ...(selection.selfJudge && { allow_self_judge: true }),
  }
}

function routingOf({ upstream = '', fallbacks }: Selection): Pick<CreateRun, 'routing'> {
  const order = upstream.split(',').flatMap((one) => one.trim() || [])
  if (order.length === 0 && !fallbacks) return {}
  return { routing: { ...(order.length > 0 && { order }), ...(fallbacks && { allow_fallbacks: false }) } }
}

/** The last step in a line: `5 % of each, 4 epochs, profile official, 64 at once, private`. */
export function subsetLine(selection: Selection, model?: Provided, chosen = false): string {
  const { count, epochs, profile, data, seed, budget, concurrency, temperature, maxTokens, reasoning, reasoningBudget, upstream } =
    selection
  const pct = selection.pct ?? (chosen ? 100 : defaultPct(model))
  const of = chosen ? 'of the chosen items' : 'of each'
  const whole = chosen ? 'the chosen items' : 'every item'
  const parts = [count !== undefined ? `${count.toLocaleString('en-US')} items ${of}` : pct === 100 ? whole : `${pct} % ${of}`]
  if (epochs) parts.push(epochs === 1 ? '1 epoch' : `${epochs} epochs`)
  if (seed) parts.push(`seed ${seed}`)
  if (profile) parts.push(profile === 'builtin' ? 'built-in wording' : `profile ${profile}`)
  if (data !== 'auto') parts.push(data === 'sample' ? 'sample data' : 'own data')
  if (temperature !== undefined) parts.push(`temperature ${temperature}`)
  if (reasoning) parts.push(`reasoning ${reasoning}`)
  if (reasoningBudget) parts.push(`reasoning in ${reasoningBudget.toLocaleString('en-US')} tokens`)
  if (upstream) parts.push(`through ${upstream}`)
  if (maxTokens) parts.push(`${maxTokens.toLocaleString('en-US')} tokens an answer`)
  parts.push(`${concurrency} at once`)
  if (budget !== undefined) parts.push(`at most $${budget}`)
  parts.push(visibilityWords[selection.visibility ?? defaultVisibility(model)])
  return parts.join(', ')
}

export const visibilityWords: Record<Visibility, string> = { public: 'public', link: 'for who has the link', private: 'private' }
