import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { cards } from '#shared/benchmarks/cards.ts'
import { CreateRun } from '#shared/contract/create-run.ts'
import { intelligence, officialWeights, type PartName, partNames, type Weights } from '#shared/janus/composite.ts'
import { type PublicSuite, publicSuites } from '#shared/janus/profiles.ts'
import { reportLines } from '#shared/janus/read-report.ts'
import { exportHere } from './export-here.ts'
import { CommandError, exitCodes, type Io, UsageError } from './io.ts'
import { type OwnItems, readOwnItems } from './janus-own-items.ts'
import { readReport } from './janus-report.ts'
import { clean } from './terminal.ts'

type Suite = { title: string; benchmarks: readonly string[]; ending?: string }

const publicSuite = (name: PublicSuite, ending: string): Suite => ({
  title: `${publicSuites[name]} public tasks of six categories`,
  benchmarks: ['janus_public'],
  ending,
})

/** Suites by name, the default first. Public ones lie in one benchmark, whose profiles tell them apart; of the private one the items are the caller's own. */
export const janusSuites = {
  'public/dev': publicSuite('public/dev', ''),
  'public/train': publicSuite('public/train', '-train'),
  'private/test': { title: 'your own items: --items, or JANUS_PRIVATE_DATASET_PATH', benchmarks: [] },
  'janus/intelligence': { title: 'the five benchmarks of the competition', benchmarks: intelligence },
} satisfies Record<string, Suite>
export type JanusSuite = keyof typeof janusSuites

export type JanusRunValues = {
  target?: string | undefined
  suite: JanusSuite
  items?: string | undefined
  benchmark?: string | undefined
  model?: string | undefined
  output?: string | undefined
  subset?: number | undefined
  seed?: number | undefined
  timeout?: number | undefined
  'ttft-timeout'?: number | undefined
  official: boolean
  data: string
}

/** The environment of the official program, under its own names. */
function settingsOf(values: JanusRunValues, env: Io['env']) {
  const read = (name: string): string | undefined => env[`JANUS_BENCH_${name}`] || undefined
  const number = (name: string): number | undefined => {
    const text = read(name)
    if (text === undefined) return undefined
    if (Number.isFinite(Number(text))) return Number(text)
    throw new UsageError(`JANUS_BENCH_${name} is "${text}"; it must be a number.`)
  }
  return {
    target: values.target ?? read('TARGET_URL') ?? 'http://localhost:8000',
    model: values.model ?? read('MODEL') ?? 'janus-baseline-agent-cli',
    subset: values.subset ?? number('SUBSET_PERCENT') ?? 100,
    seed: values.seed ?? number('SEED') ?? 42,
    timeout: values.timeout ?? number('REQUEST_TIMEOUT'),
    ttft: values['ttft-timeout'] ?? number('TTFT_TIMEOUT'),
    folder: read('OUTPUT_DIR') ?? '.',
    judge: { url: read('JUDGE_URL'), model: read('JUDGE_MODEL') ?? 'gpt-4o', key: read('JUDGE_API_KEY') ?? null },
    key: read('API_KEY') ?? null,
  }
}

/** What each part counts in per cent, as the environment says it: whole numbers that sum to 100, those of the competition where it says nothing. */
function weightsOf(env: Io['env']): Weights {
  const given = partNames.map((part): [PartName, number] => {
    const name = `JANUS_BENCH_WEIGHT_${part.toUpperCase()}`
    const text = env[name]?.trim() || String(officialWeights[part])
    if (!/^\d{1,3}$/.test(text)) throw new UsageError(`${name} is "${text}"; it must be a whole number from 0 to 100.`)
    return [part, Number(text)]
  })
  const sum = given.reduce((total, [, weight]) => total + weight, 0)
  const told = given.map(([part, weight]) => `${part} ${weight}`).join(', ')
  if (sum !== 100) throw new UsageError(`The weights of JANUS_BENCH_WEIGHT_* must sum to 100, these to ${sum}: ${told}.`)
  return Object.fromEntries(given) as Weights // every part
}

const versioned = (url: string): string => (/\/v1\/?$/.test(url) ? url : `${url.replace(/\/+$/, '')}/v1`)

/** The server that is asked and, where answers are judged, the judge's. */
function providersOf({ target, model, key, judge }: ReturnType<typeof settingsOf>, judged: boolean): object[] {
  const server = (id: string, url: string, served: string, api_key: string | null) => ({
    ...{ id, kind: 'openai', base_url: versioned(url), models: [served] },
    ...(api_key && { api_key }),
  })
  return [server('target', target, model, key), ...(judged ? [server('judge', judge.url!, judge.model, judge.key)] : [])]
}

/** The items of the caller's own, where that suite is asked. */
function ownItemsOf({ suite, items }: JanusRunValues, env: Io['env']): OwnItems | null {
  if (suite !== 'private/test') {
    if (items !== undefined) throw new UsageError('--items belongs to --suite private/test.')
    return null
  }
  const path = items ?? env.JANUS_PRIVATE_DATASET_PATH
  if (!path) throw new UsageError('private/test is made of your own items: name them by --items or JANUS_PRIVATE_DATASET_PATH.')
  return readOwnItems(path)
}

function selectedOf({ benchmark }: JanusRunValues, suite: Suite, own: OwnItems | null): readonly string[] {
  const names: readonly string[] = own ? [...own.keys()] : suite.benchmarks
  if (benchmark === undefined) return names
  if (own && !names.includes(benchmark)) throw new UsageError(`None of your items is of ${benchmark}; they are of ${names.join(', ')}.`)
  return [benchmark]
}

/** Own items as data of the run: nobody else's, so that no export for others has their texts. */
function overridesOf(own: OwnItems): string {
  const entries = [...own].map(([benchmark, files]) => {
    return [benchmark, { private: true, files: files.map((path) => ({ role: 'test', path })) }]
  })
  return JSON.stringify(Object.fromEntries(entries))
}

/** Says where weights are left aside: the official formulas have their own for the five benchmarks. */
function tellFixedWeights(weights: Weights, official: boolean, selected: readonly string[], io: Io): void {
  const changed = partNames.some((part) => weights[part] !== officialWeights[part])
  if (official && changed && selected.some((name) => name !== 'janus_public'))
    io.err('The official formulas have weights of their own: JANUS_BENCH_WEIGHT_* counts for public tasks alone.')
}

/**
 * `bench janus run`: a local run of the suite at one server, then its report. Failed tasks do not change the exit code, as they do not in the official program.
 * Where a judge is named, research is graded by it and runs under the judged profile alone.
 */
export async function runJanus(values: JanusRunValues, mode: { json: boolean; quiet: boolean }, io: Io): Promise<number> {
  const asked = settingsOf(values, io.env)
  const weights = weightsOf(io.env)
  const own = ownItemsOf(values, io.env)
  const suite: Suite = janusSuites[values.suite]
  const selected = selectedOf(values, suite, own)
  const profile = `${values.official ? 'janus-v1' : 'janus-v2'}${selected.includes('janus_public') ? (suite.ending ?? '') : ''}`
  const judged =
    asked.judge.url !== undefined &&
    selected.every((name) => cards.find((card) => card.name === name)?.profiles.some(({ roles }) => roles?.judge))
  if (asked.judge.url !== undefined && !judged)
    io.err('A judge grades janus_research alone: run it with -b janus_research. This run goes without one.')
  const body = CreateRun.safeParse({
    model_id: asked.model,
    provider: 'target',
    selected_benchmarks: selected,
    subset_pct: asked.subset,
    subset_seed: String(asked.seed),
    profile: judged ? `${profile}-judged` : profile,
    ...(judged && { roles: { judge: { model_id: asked.judge.model, provider: 'judge' } }, allow_self_judge: true }),
    concurrency: values.official ? 1 : 5,
    ...(own && { data: 'override' }),
    limits: {
      ...(asked.timeout && { total_ms: asked.timeout * 1000 }),
      ...(asked.ttft && { first_token_ms: Math.round(asked.ttft * 1000) }),
    },
  })
  if (!body.success) throw new UsageError(body.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'))
  tellFixedWeights(weights, values.official, selected, io)
  const before = foldersIn(values.data)
  const { runHere } = await import('./run-here.ts')
  const env = {
    ...io.env,
    BENCH_PROVIDERS: JSON.stringify(providersOf(asked, judged)),
    ...(own && { BENCH_DATA_OVERRIDES: overridesOf(own) }),
  }
  const code = await runHere(body.data, values.data, mode, { ...io, env })
  if (code === exitCodes.interrupted) return code
  const [made] = foldersIn(values.data).filter((name) => !before.includes(name))
  if (made === undefined) throw new CommandError('The run left no folder.', 'failed')
  const file = values.output ?? join(asked.folder, `bench_results_${made.slice(0, 8)}.json`)
  await exportHere(join(resolve(values.data), made), 'janus', file, io, { target_url: asked.target, weights })
  if (mode.json) io.out(JSON.stringify({ type: 'report', file }))
  else for (const line of ['', ...reportLines(readReport(file)).map(clean), '', file]) io.out(line)
  return exitCodes.ok
}

function foldersIn(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
  } catch {
    return [] // there is none yet
  }
}
