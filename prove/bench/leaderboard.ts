import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { connect } from '#db/connect.ts'
import { createStore } from '#db/create-store.ts'
import { exampleHead } from '#db/example-run.ts'
import type { Store } from '#db/store.ts'
import { cards } from '#shared/benchmarks/cards.ts'
import { Leaderboard } from '#shared/contract/board.ts'
import { buildIfChanged } from '../../edge/local/build.ts'
import type { DatabaseAddress } from '../../edge/local/part-specs.ts'
import { type BoardRuns, boardRun, writeBoardRuns } from './board-runs.ts'
import { canMeasure, costOf, costOfTree, descendants } from './process-cost.ts'
import { writeSyntheticItems } from './synthetic-items.ts'
import { root, type System, startSystem } from './system.ts'

const usage = `npm run bench -- leaderboard [options]

  --runs 10000      ended runs in the record, each of one benchmark
  --models 40       models they asked
  --benchmarks 12   benchmarks they asked, a board each (at most ${cards.length})
  --asks 500        requests that are measured of a kind`

/** The longest that 19 of 20 requests may take. */
const longestMs = 20
/** Runs that end while it is measured, one after another. */
const measuredEnds = 200
const strangersHost = 'stranger.test:80'

type Options = BoardRuns & { asks: number }

/** What a leaderboard costs who asks for it, over HTTP and in the database, and what it adds to the end of a run. Exit code 1 when it takes too long. */
export async function leaderboard(args: string[]): Promise<number> {
  const options = readOptions(args)
  if (!options) return 2
  const scratch = mkdtempSync(join(tmpdir(), 'bench-leaderboard-'))
  // A name that is not this machine's own: who visits under it is a stranger.
  process.env.PUBLIC_URL = `http://${strangersHost}`
  let system: System | undefined
  try {
    await buildIfChanged(root, join(scratch, 'build.log'), () => undefined)
    writeSyntheticItems(join(scratch, 'items.jsonl'), 10)
    const address = { dataDir: join(scratch, 'data'), itemsPath: join(scratch, 'items.jsonl'), modelUrl: 'http://127.0.0.1:9' }
    system = await startSystem({ ...address, slots: 1, agentEnv: {} })
    return await measure(system, options)
  } finally {
    await system?.stop()
    rmSync(scratch, { recursive: true, force: true })
  }
}

function readOptions(args: string[]): Options | null {
  try {
    const text = (standard: string) => ({ type: 'string' as const, default: standard })
    const { values } = parseArgs({ args, options: { runs: text('10000'), models: text('40'), benchmarks: text('12'), asks: text('500') } })
    const { runs, models, benchmarks, asks } = values
    const options = { runs: Number(runs), models: Number(models), benchmarks: Number(benchmarks), asks: Number(asks) }
    if (Object.values(options).every((value) => Number.isSafeInteger(value) && value > 0) && options.benchmarks <= cards.length)
      return options
  } catch {
    // Told below.
  }
  console.error(usage)
  return null
}

async function measure(system: System, options: Options): Promise<number> {
  const { url, endpoint_url } = system.database.said as DatabaseAddress // what the part says when it is ready
  const db = connect(url, { fetchEndpoint: endpoint_url, timeoutMs: 60_000 })
  const store = createStore(db)
  const beganMs = performance.now()
  await writeBoardRuns(db, options)
  const { runs, models, benchmarks } = options
  console.log(`${runs} runs of ${models} models on ${benchmarks} boards, written in ${((performance.now() - beganMs) / 1000).toFixed(1)} s`)
  console.log(`${cpus().length} CPUs, load ${loadNow()}`)
  const late = await measureRequests(system, options)
  await measureStatements(url, store, options)
  await measureEnds(store, options)
  return late > 0 ? 1 : 0
}

async function measureRequests(system: System, { asks }: Options): Promise<number> {
  const { url } = system
  const agent = new Agent({ keepAlive: true })
  const whole = Leaderboard.parse(JSON.parse(await get(agent, `${url}/api/leaderboard`, strangersHost)))
  const size = `${whole.rows.length} of ${whole.total} rows, ${whole.apart_total} runs apart`
  console.log(`shown to a stranger: ${whole.boards.length} boards to choose from, ${size}, ${JSON.stringify(whole).length} characters`)
  const boards = whole.boards.map(({ id }) => id)
  const ofBoard = (at: number) => `board=${boards[at % boards.length]}`
  const own = new URL(url).host
  const ways: Record<string, [string, (at: number) => string]> = {
    'GET /api/leaderboard, a stranger': [strangersHost, () => ''],
    'each board by the mean, a stranger': [strangersHost, ofBoard],
    'each board by the best, a stranger': [strangersHost, (at) => `${ofBoard(at)}&sort=best`],
    'each board, an owner': [own, ofBoard],
    'the boards alone (none fits)': [strangersHost, () => 'benchmark=none'],
  }
  let late = 0
  for (const [name, [host, query]] of Object.entries(ways)) {
    const before = costsOf(system)
    const took = await timed(asks, (at) => get(agent, `${url}/api/leaderboard?${query(at)}`, host))
    console.log(`HTTP ${name.padEnd(36)} ${quantiles(took)}, load ${loadNow()}`)
    if (canMeasure) console.log(`     processor time a request: ${spentText(before, costsOf(system), asks)}`)
    if (quantile(took, 0.95) > longestMs) late++
  }
  agent.destroy()
  return late
}

type Costs = Record<string, number>

/** Processor time of the parts of the service, in microseconds. PostgreSQL is below its endpoint, workerd below its host. */
function costsOf({ edge, database }: System): Costs {
  return {
    workerd: costOfTree(descendants(edge.pid)).cpu_us,
    door: costOf(edge.pid).cpu_us,
    endpoint: costOf(database.pid).cpu_us,
    PostgreSQL: costOfTree(descendants(database.pid)).cpu_us,
  }
}

const spentText = (before: Costs, after: Costs, asks: number): string =>
  Object.entries(after)
    .map(([name, us]) => `${name} ${((us - before[name]!) / asks / 1000).toFixed(1)} ms`)
    .join(', ')

/** The statements of a request, sent to PostgreSQL over a connection that is open: without Worker and endpoint. */
async function measureStatements(url: string, store: Store, { asks }: Options): Promise<void> {
  const boards = await store.listBoards([])
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const ways = { 'the boards': () => store.listBoards([]), 'one board': () => store.readBoard(boards[0]!.id, [], 'mean', 100) }
    for (const [name, ask] of Object.entries(ways)) {
      const statements = await statementsOf(ask)
      const took = await timed(asks, async () => {
        for (const { query, params } of statements) await client.query(query, params)
      })
      console.log(`SQL  ${name.padEnd(36)} ${quantiles(took)}`)
    }
  } finally {
    await client.end()
  }
}

type Statement = { query: string; params: unknown[] }

/** What is sent to the database's endpoint while `ask` is under way. */
async function statementsOf(ask: () => Promise<unknown>): Promise<Statement[]> {
  const { fetch: real } = globalThis
  const sent: Statement[] = []
  globalThis.fetch = (input, init) => {
    const body = JSON.parse(String(init?.body)) as Statement | { queries: Statement[] } // what Neon's driver sends
    sent.push(...('queries' in body ? body.queries : [body]))
    return real(input, init)
  }
  try {
    await ask()
  } finally {
    globalThis.fetch = real
  }
  return sent
}

async function measureEnds(store: Store, options: Options): Promise<void> {
  const took = { open: [] as number[], ended: [] as number[] }
  const drain = (head: ReturnType<typeof exampleHead>) => store.drain({ run_id: head.run_id, openings: [], trials: [], events: [], head })
  for (let at = 0; at < measuredEnds; at++) {
    const { spec, head, estimate, benchmark } = boardRun(options.runs + at, options)
    const card = cards.find((one) => one.name === benchmark)!
    await store.createRun(spec, exampleHead(spec), null)
    await store.saveMetrics(spec.run_id, benchmark, { [card.metrics[0]!]: estimate })
    took.open.push(...(await timed(1, () => drain({ ...head, seq: 8, status: 'running', completed_at: null }))))
    took.ended.push(...(await timed(1, () => drain(head))))
  }
  console.log(`drain of a state alone: that of an open run ${quantiles(took.open)}`)
  console.log(`                        that ends a run     ${quantiles(took.ended)}`)
}

/** The body of a 200. @throws with the status of any other answer. */
function get(agent: Agent, url: string, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers: { host } }, async (response) => {
      try {
        const pieces: Buffer[] = []
        for await (const piece of response) pieces.push(piece as Buffer)
        if (response.statusCode !== 200) throw new Error(`${url} answered ${response.statusCode}`)
        resolve(Buffer.concat(pieces).toString())
      } catch (error) {
        reject(error)
      }
    })
    sent.once('error', reject)
    sent.end()
  })
}

async function timed(times: number, ask: (at: number) => Promise<unknown>): Promise<number[]> {
  const took: number[] = []
  for (let at = 0; at < times; at++) {
    const beganMs = performance.now()
    await ask(at)
    took.push(performance.now() - beganMs)
  }
  return took
}

const loadNow = (): string => loadavg()[0]!.toFixed(2)

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!
}

const quantiles = (ms: readonly number[]): string =>
  [0.5, 0.95, 0.99].map((share) => `p${share * 100} ${quantile(ms, share).toFixed(1)} ms`).join(', ')
