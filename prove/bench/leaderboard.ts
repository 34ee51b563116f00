import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { connect } from '#db/connect.ts'
import { createStore } from '#db/create-store.ts'
import { startLocalDatabase } from '#db/embedded/local-database.ts'
import { exampleHead, exampleSpec } from '#db/example-run.ts'
import type { Store } from '#db/store.ts'
import { cards } from '#shared/benchmarks/cards.ts'
import { chooseBoard } from '#shared/board/choose-board.ts'
import type { RunHead } from '#shared/contract/run.ts'
import { wilson } from '#shared/metrics/wilson.ts'

const usage = `npm run bench -- leaderboard [options]

  --runs 10000   ended runs in the record, each of one benchmark
  --boards 20    boards they are spread over; 1 puts all of them on one
  --setups 100   models with their parameters on each board
  --asks 300     requests that are measured`

/** The longest that 19 of 20 requests may take. */
const longestMs = 20

/** What a leaderboard costs the API and its database, and what writing a place on it adds to the end of a run. Exit code 1 when it takes too long. */
export async function leaderboard(args: string[]): Promise<number> {
  const options = readOptions(args)
  if (!options) return 2
  const dataDir = await mkdtemp(path.join(tmpdir(), 'bench-leaderboard-'))
  const local = await startLocalDatabase({ dataDir })
  try {
    const store = createStore(connect(local.databaseUrl, { fetchEndpoint: local.endpointUrl }))
    await endRuns(store, options)
    return await measureReads(store, options)
  } finally {
    await local.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

type Options = { runs: number; boards: number; setups: number; asks: number }

function readOptions(args: string[]): Options | null {
  try {
    const text = (standard: string) => ({ type: 'string' as const, default: standard })
    const { values } = parseArgs({ args, options: { runs: text('10000'), boards: text('20'), setups: text('100'), asks: text('300') } })
    const { runs, boards, setups, asks } = values
    const options = { runs: Number(runs), boards: Number(boards), setups: Number(setups), asks: Number(asks) }
    if (Object.values(options).every((value) => Number.isSafeInteger(value) && value > 0)) return options
  } catch {
    // Told below.
  }
  console.error(usage)
  return null
}

/** A run that has ended: every tenth is private, and every twentieth asked a part of the items. */
function endedRun(at: number, { boards, setups }: Options) {
  const slug = `org/model-${Math.floor(at / boards) % setups}`
  const plain = exampleSpec({
    model: { id: slug, slug, provider: 'chutes' },
    owner_id: `owner-${at % 50}`,
    visibility: at % 10 === 9 ? 'private' : 'public',
  })
  const [one] = plain.benchmarks
  const data = { ...one!.data, revision: String(at % boards).padStart(40, '0') }
  const sampled_items = at % 20 === 7 ? 1000 : one!.total_items
  const spec = { ...plain, benchmarks: [{ ...one!, data, sampled_items }] }
  const value = 0.3 + (((at * 7919) % 5000) + (at % setups) * 20) / 14_000
  const limits = wilson(value, sampled_items)
  const estimate = { value, ...limits, n: sampled_items, method: 'bench', limits: { as_answered: limits, expected: limits } }
  const tally = { total: sampled_items, right: sampled_items, wrong: 0, failed: 0, score_sum: 0, flags: {}, status: 'succeeded' as const }
  const times = { started_at: spec.created_at, completed_at: new Date(Date.parse(spec.created_at) + at * 1000).toISOString() }
  const head = exampleHead(spec, {
    ...{ status: 'succeeded', seq: 9, cost_usd: at / 100, completed_at: times.completed_at },
    benchmarks: { mmlu_pro: { ...tally, ...times } },
  })
  return { spec, head, estimate }
}

const atOnce = 8
/** Ends that are measured, one after another. */
const measuredEnds = 500

async function endRuns(store: Store, options: Options): Promise<void> {
  const { runs, boards, setups } = options
  const took = { open: [] as number[], ended: [] as number[] }
  const drain = (head: RunHead) => store.drain({ run_id: head.run_id, openings: [], trials: [], events: [], head })
  const timed = async (head: RunHead, into: number[]) => {
    const beganMs = performance.now()
    await drain(head)
    into.push(performance.now() - beganMs)
  }
  for (let from = 0; from < runs; from += atOnce) {
    const some = Array.from({ length: Math.min(atOnce, runs - from) }, (_, index) => endedRun(from + index, options))
    await Promise.all(
      some.map(async ({ spec, estimate }) => {
        await store.createRun(spec, exampleHead(spec), null)
        await store.saveMetrics(spec.run_id, 'mmlu_pro', { accuracy: estimate })
      }),
    )
    if (from < runs - measuredEnds) await Promise.all(some.map(({ head }) => drain(head)))
    else
      for (const { head } of some) {
        await timed({ ...head, seq: 8, status: 'running', completed_at: null }, took.open)
        await timed(head, took.ended)
      }
  }
  console.log(`${runs} runs on ${boards} boards, ${setups} setups each`)
  console.log(`drain of a state alone: that of an open run ${quantiles(took.open)}; that ends a run ${quantiles(took.ended)}`)
}

/** What the route does for an answer: two questions to the database, the choice between them, and the text of what came of it. */
async function measureReads(store: Store, { asks }: Options): Promise<number> {
  const read = async (wanted: { board?: string | undefined }, viewer: string | null) => {
    const boards = await store.listBoards(viewer)
    const board = chooseBoard(boards, wanted, cards)
    if (!board) throw new Error('there is no board')
    const page = await store.readBoard(board.id, viewer, 'mean', 100)
    return { boards, page, text: JSON.stringify({ boards, board, ...page }) }
  }
  const { boards, page, text } = await read({}, null)
  console.log(
    `${boards.length} boards to choose from, ${page.rows.length} of ${page.total} rows, ${page.apart_total} runs apart, ${text.length} characters`,
  )
  const ways = {
    'first board, a stranger': () => read({}, null),
    'each board, a stranger': (at: number) => read({ board: boards[at % boards.length]!.id }, null),
    'each board, an owner': (at: number) => read({ board: boards[at % boards.length]!.id }, `owner-${at % 50}`),
  }
  let late = 0
  for (const [name, ask] of Object.entries(ways)) {
    const took: number[] = []
    for (let at = 0; at < asks; at++) {
      const beganMs = performance.now()
      await ask(at)
      took.push(performance.now() - beganMs)
    }
    console.log(`${name}: ${quantiles(took)}`)
    if (quantile(took, 0.95) > longestMs) late++
  }
  return late > 0 ? 1 : 0
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!
}

const quantiles = (ms: readonly number[]): string =>
  [0.5, 0.95, 0.99].map((share) => `p${share * 100} ${quantile(ms, share).toFixed(1)} ms`).join(', ')
