import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildIfChanged } from '../../edge/local/build.ts'
import { stopChild } from '../../edge/local/child.ts'
import { simulatedRun } from '../provider/run-body.ts'
import { type Followed, startAndFollow } from './follow-run.ts'
import { type Cost, canMeasure, costOf, costOfTree, descendants, machineCost } from './process-cost.ts'
import { writeSyntheticItems } from './synthetic-items.ts'
import { root, type Started, type System, startModel, startPart, startSystem } from './system.ts'

const usage = `npm run bench -- throughput [options]

  --trials 20000   trials of the run, two epochs over half as many items
  --width 100      requests in flight
  --latency 0      milliseconds until the model answers
  --mode stream    stream (an answer in one piece) or drip (a frame every 5 ms)
  --runs 3         repeats; figures are medians [least-most]
  --no-bare        without the bare loops
  --keep           keep data and logs
  --profile DIR    write V8 CPU profiles of the agent to DIR`

type Options = {
  trials: number
  width: number
  latency: number
  mode: 'stream' | 'drip'
  runs: number
  bare: boolean
  keep: boolean
  profile: string | null
}
type Costs = Record<string, Cost>
type Measured = { followed: Followed; calls: number; costs: Costs; seconds: number; others: number | null }

/** The whole system against a simulated model: speed, cost and completeness. Exit code 1 when a trial, row or call is missing. */
export async function throughput(args: string[]): Promise<number> {
  const options = readOptions(args)
  if (!options) return 2
  const scratch = mkdtempSync(join(tmpdir(), 'bench-throughput-'))
  const itemsPath = join(scratch, 'items.jsonl')
  try {
    writeSyntheticItems(itemsPath, options.trials / 2)
    if ((await buildIfChanged(root, join(scratch, 'build.log'), () => undefined)) === 'built')
      console.log('built the Worker from the present sources')
    console.log(
      `${options.trials} trials, ${options.width} wide, ${options.latency} ms, ${options.mode}; ${cpus().length} CPUs, load ${loadavg()
        .map((load) => load.toFixed(2))
        .join(' ')}, Node ${process.versions.node}`,
    )
    const bare: Record<string, number[]> = { http: [], fetch: [] }
    const measured: Measured[] = []
    for (let run = 1; run <= options.runs; run++) {
      if (options.bare)
        for (const client of ['http', 'fetch'] as const) bare[client]!.push(await bareLoop(client, options, itemsPath, scratch))
      const one = await measureRun(options, itemsPath, join(scratch, `run-${run}`))
      measured.push(one)
      console.log(
        `run ${run}: ${Math.round(options.trials / one.seconds)} trials/s, load ${loadavg()[0]!.toFixed(2)}${one.others === null ? '' : ` (others used ${Math.round(one.others * 100)} % of the machine)`}, ${one.followed.status}, ${one.followed.rows} rows, ${one.calls} calls, ${one.followed.events} messages to the viewer`,
      )
    }
    printTable(options, measured, bare)
    return missing(options, measured) ? 1 : 0
  } finally {
    if (options.keep) console.log(`data and logs: ${scratch}`)
    else rmSync(scratch, { recursive: true, force: true })
  }
}

function readOptions(args: string[]): Options | null {
  try {
    const { values } = parseArgs({
      args,
      options: {
        trials: { type: 'string', default: '20000' },
        width: { type: 'string', default: '100' },
        latency: { type: 'string', default: '0' },
        mode: { type: 'string', default: 'stream' },
        runs: { type: 'string', default: '3' },
        'no-bare': { type: 'boolean', default: false },
        keep: { type: 'boolean', default: false },
        profile: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    })
    const [trials, width, latency, runs] = [values.trials, values.width, values.latency, values.runs].map(Number) as [
      number,
      number,
      number,
      number,
    ]
    const fits = trials >= 2 && trials % 2 === 0 && width >= 1 && width <= 2000 && latency >= 0 && runs >= 1
    if (values.help || !fits || (values.mode !== 'stream' && values.mode !== 'drip'))
      throw new Error(values.help ? '' : 'an option is out of range')
    return { trials, width, latency, mode: values.mode, runs, bare: !values['no-bare'], keep: values.keep, profile: values.profile ?? null }
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${usage}`)
    return null
  }
}

/** Requests a second of a loop that does nothing but ask, against a model of its own. */
async function bareLoop(client: 'http' | 'fetch', options: Options, itemsPath: string, dir: string): Promise<number> {
  const model = await startModel(options, dir)
  const { trials, width } = options
  const env = {
    ...process.env,
    BENCH_CLIENT: client,
    BENCH_URL: String(model.said.url),
    BENCH_ITEMS: itemsPath,
    BENCH_TRIALS: String(trials),
    BENCH_WIDTH: String(width),
  }
  try {
    const loop = await startPart({ name: `bare-${client}`, file: join(import.meta.dirname, 'bare-loop.ts'), env }, join(dir, 'logs'))
    await stopChild(loop.child, 5_000)
    return trials / Number(loop.said.seconds)
  } finally {
    await stopChild(model.child, 5_000)
  }
}

async function measureRun(options: Options, itemsPath: string, dataDir: string): Promise<Measured> {
  const model = await startModel(options, dataDir)
  const agentEnv: Record<string, string> = options.profile ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${options.profile}` } : {}
  const slots = Math.max(options.width, 256)
  const system = await startSystem({ dataDir, itemsPath, modelUrl: String(model.said.url), slots, agentEnv })
  try {
    const before = costsOf(system, model)
    const machine = canMeasure ? machineCost() : null
    const body = { ...simulatedRun, epochs: 2, concurrency: options.width }
    const followed = await startAndFollow({ url: system.url, databaseUrl: system.databaseUrl, body, trials: options.trials })
    const after = costsOf(system, model)
    const others = machine && othersShare(machine, machineCost(), before, after)
    const costs = Object.fromEntries(
      Object.entries(after).map(([name, { cpu_us, peak_mb }]) => [
        name,
        { cpu_us: (cpu_us - before[name]!.cpu_us) / options.trials, peak_mb },
      ]),
    )
    model.child.send('calls')
    const [told] = (await once(model.child, 'message')) as [{ calls: number }]
    return { followed, calls: told.calls, costs, seconds: (followed.completed_ms - followed.started_ms) / 1000, others }
  } finally {
    await system.stop()
    await stopChild(model.child, 5_000)
  }
}

/** Share of the machine that processes of somebody else used meanwhile: figures of a shared machine say little. */
function othersShare(from: ReturnType<typeof machineCost>, to: ReturnType<typeof machineCost>, before: Costs, after: Costs): number {
  const ours = Object.entries(after).reduce((sum, [name, { cpu_us }]) => sum + cpu_us - before[name]!.cpu_us, 0)
  return Math.max(0, (to.busy_us - from.busy_us - ours) / (to.all_us - from.all_us))
}

/** CPU since start and memory of every process. The database's own children are PostgreSQL, the host's child is workerd. */
function costsOf(system: System, model: Started): Costs {
  if (!canMeasure) return {}
  return {
    agent: costOf(system.agent.pid),
    workerd: costOfTree(descendants(system.edge.pid)),
    'edge host': costOf(system.edge.pid),
    endpoint: costOf(system.database.pid),
    postgres: costOfTree(descendants(system.database.pid)),
    model: costOf(model.pid),
  }
}

const spread = (values: number[], digits = 0): string => {
  const sorted = values.toSorted((a, b) => a - b)
  if (sorted.length === 0) return '-'
  const [least, middle, most] = [sorted[0]!, sorted[Math.floor(sorted.length / 2)]!, sorted.at(-1)!]
  return `${middle.toFixed(digits)} [${least.toFixed(digits)}-${most.toFixed(digits)}]`
}
const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

function printTable(options: Options, measured: Measured[], bare: Record<string, number[]>): void {
  const rates = measured.map(({ seconds }) => options.trials / seconds)
  const rows: string[][] = [['whole system', spread(rates), 'trials/s (first claim to last accepted report)']]
  for (const [client, found] of Object.entries(bare)) {
    if (found.length === 0) continue
    rows.push([`bare ${client} loop`, spread(found), `requests/s; the system reaches ${(median(rates) / median(found)).toFixed(2)} of it`])
  }
  const lags = measured.flatMap(({ followed }) =>
    followed.stored_ms === null ? [] : [(followed.stored_ms - followed.completed_ms) / 1000],
  )
  rows.push(['last row in Postgres', spread(lags, 2), 's after the last accepted report'])
  const names = Object.keys(measured[0]?.costs ?? {})
  for (const name of names) {
    const cpu = measured.map(({ costs }) => costs[name]!.cpu_us)
    const memory = measured.map(({ costs }) => costs[name]!.peak_mb)
    rows.push([name, spread(cpu), `us CPU/trial, from POST to last row; ${spread(memory)} MiB`])
  }
  const ours = measured.map(({ costs }) => names.filter((name) => name !== 'model').reduce((sum, name) => sum + costs[name]!.cpu_us, 0))
  if (names.length > 0) rows.push(['sum without model', spread(ours), 'us CPU/trial'])
  console.log()
  for (const [name, value, unit] of rows) console.log(`${name!.padEnd(22)} ${value!.padStart(22)}  ${unit}`)
}

/** What the pre-flight of a run asks the model beside its trials. */
const preflightCalls = 1

/** Says what is not as it must be: every trial scored once, in the record, and paid for once. */
function missing({ trials }: Options, measured: Measured[]): boolean {
  let bad = false
  for (const [index, { followed, calls }] of measured.entries()) {
    const { status, rows, done, stored_ms } = followed
    if (status === 'succeeded' && rows === trials && done === trials && calls === trials + preflightCalls && stored_ms !== null) continue
    bad = true
    console.log(`run ${index + 1} is not complete: ${status}, ${done} scored and ${rows} rows of ${trials} in Postgres, ${calls} calls`)
  }
  return bad
}
