import type { CreateRun } from '#shared/contract/api.ts'

/** What somebody has chosen on the start page; all of it stands in the address. */
export type Selection = {
  model: string | undefined
  provider: string | undefined
  /** undefined: nothing chosen yet, so the cards' own defaults apply. */
  benchmarks: string[] | undefined
  pct: number
  /** Items a benchmark; wins over `pct`. */
  count: number | undefined
  seed: string | undefined
  epochs: number | undefined
  profile: string | undefined
  data: 'auto' | 'sample' | 'override'
  concurrency: number
  budget: number | undefined
  /** Judges in place of the benchmarks' own. */
  judge: string | undefined
  judgeProvider: string | undefined
  selfJudge: boolean
}

export const subsets = [1, 5, 10, 25, 50, 100] as const
export const defaultConcurrency = 64

type Search = Record<string, string | string[] | undefined>

/** Reads a selection from the address; what is missing or makes no sense falls back to the default. */
export function readSelection(search: Search): Selection {
  const text = (key: string) => (typeof search[key] === 'string' && search[key] !== '' ? (search[key] as string) : undefined)
  const int = (key: string, min: number, max: number) => {
    const value = Number(text(key) ?? Number.NaN)
    return Number.isInteger(value) && value >= min && value <= max ? value : undefined
  }
  const budget = Number(text('budget') ?? Number.NaN)
  const list = text('benchmarks')
  return {
    model: text('model'),
    provider: text('provider'),
    benchmarks: list === undefined ? undefined : list === 'none' ? [] : list.split(',').filter(Boolean),
    pct: int('pct', 1, 100) ?? 100,
    count: int('count', 1, 10_000_000),
    seed: text('seed')?.slice(0, 128),
    epochs: int('epochs', 1, 64),
    profile: text('profile')?.slice(0, 40),
    data: (['sample', 'override'] as const).find((one) => one === text('data')) ?? 'auto',
    concurrency: int('concurrency', 1, 2000) ?? defaultConcurrency,
    budget: Number.isFinite(budget) && budget >= 0 ? budget : undefined,
    judge: text('judge')?.slice(0, 300),
    judgeProvider: text('judge_provider')?.slice(0, 60),
    selfJudge: text('self_judge') === '1',
  }
}

/** The address of a selection; defaults are left out, so short choices have short links. */
export function writeSelection(selection: Selection): Record<string, string | undefined> {
  const { benchmarks, pct, concurrency, data } = selection
  const plain = (value: string | number | undefined) => (value === undefined ? undefined : String(value))
  return {
    model: selection.model,
    provider: selection.provider,
    benchmarks: benchmarks && (benchmarks.join(',') || 'none'),
    pct: pct === 100 || selection.count ? undefined : String(pct),
    count: plain(selection.count),
    seed: selection.seed,
    epochs: plain(selection.epochs),
    profile: selection.profile,
    data: data === 'auto' ? undefined : data,
    concurrency: concurrency === defaultConcurrency ? undefined : String(concurrency),
    budget: plain(selection.budget),
    judge: selection.judge,
    judge_provider: selection.judgeProvider,
    self_judge: selection.selfJudge ? '1' : undefined,
  }
}

/** The request a selection stands for, or undefined while no model or no benchmark is chosen. */
export function toCreateRun(selection: Selection, benchmarks: readonly string[]): Partial<CreateRun> | undefined {
  if (!selection.model || benchmarks.length === 0) return undefined
  return {
    model_id: selection.model,
    provider: selection.provider ?? null,
    selected_benchmarks: [...benchmarks],
    subset_pct: selection.pct,
    subset_count: selection.count ?? null,
    subset_seed: selection.seed ?? null,
    epochs: selection.epochs ?? null,
    profile: selection.profile ?? null,
    data: selection.data,
    concurrency: selection.concurrency,
    budget_usd: selection.budget ?? null,
    ...(selection.judge && { judge: { model_id: selection.judge, provider: selection.judgeProvider ?? null } }),
    ...(selection.selfJudge && { allow_self_judge: true }),
  }
}

/** The third step in a line: `5 % of each, 4 epochs, official wording, 64 at once`. */
export function subsetLine(selection: Selection): string {
  const { count, pct, epochs, profile, data, seed, budget, concurrency } = selection
  const parts = [count ? `${count.toLocaleString('en-US')} items of each` : pct === 100 ? 'every item' : `${pct} % of each`]
  if (epochs) parts.push(epochs === 1 ? '1 epoch' : `${epochs} epochs`)
  if (seed) parts.push(`seed ${seed}`)
  if (profile) parts.push(profile === 'builtin' ? 'built-in wording' : `profile ${profile}`)
  if (data !== 'auto') parts.push(data === 'sample' ? 'sample data' : 'own data')
  parts.push(`${concurrency} at once`)
  if (budget !== undefined) parts.push(`at most $${budget}`)
  return parts.join(', ')
}
