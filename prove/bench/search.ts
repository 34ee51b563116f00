import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { connect } from '#db/connect.ts'
import { createStore } from '#db/create-store.ts'
import { type LocalDatabase, startLocalDatabase } from '#db/embedded/local-database.ts'
import { exampleHead, exampleSpec, exampleTrial } from '#db/example-run.ts'
import type { Store } from '#db/store.ts'
import { ItemQuery } from '#shared/contract/api.ts'
import { ItemRowQuery } from '#shared/contract/item-rows.ts'

const usage = `npm run bench -- search [options]

  --trials 100000  trials of the run
  --bytes 1500     size of a record; a third of what it has over 1,500 is searched text, the rest reasoning
  --batch 500      trials a batch of the drain`

/** What draining, listing, filtering and searching one big run cost. Exit code 1 when a list, filter or search took longer than 0.3 s. */
export async function search(args: string[]): Promise<number> {
  const options = readOptions(args)
  if (!options) return 2
  const dataDir = await mkdtemp(path.join(tmpdir(), 'bench-search-'))
  const local = await startLocalDatabase({ dataDir })
  try {
    const store = createStore(connect(local.databaseUrl, { fetchEndpoint: local.endpointUrl }))
    const run_id = await drainRun(store, dataDir, options)
    return await measureReads(store, run_id, options.trials)
  } finally {
    await stop(local, dataDir)
  }
}

type Options = { trials: number; bytes: number; batch: number }

function readOptions(args: string[]): Options | null {
  try {
    const text = (standard: string) => ({ type: 'string' as const, default: standard })
    const { values } = parseArgs({ args, options: { trials: text('100000'), bytes: text('1500'), batch: text('500') } })
    const options = { trials: Number(values.trials), bytes: Number(values.bytes), batch: Number(values.batch) }
    if (Object.values(options).every((value) => Number.isSafeInteger(value) && value > 0)) return options
  } catch {
    // Told below.
  }
  console.error(usage)
  return null
}

async function stop(local: LocalDatabase, dataDir: string): Promise<void> {
  await local.stop()
  await rm(dataDir, { recursive: true, force: true })
}

/** Processor time of the servers on a data directory, in microseconds (ticks of 10 ms; Linux only). */
async function postgresCpuUs(dataDir: string): Promise<number> {
  let ticks = 0
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const stands = await readlink(`/proc/${pid}/cwd`).catch(() => '')
    if (!stands.startsWith(dataDir)) continue
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    ticks += Number(fields[11] ?? 0) + Number(fields[12] ?? 0)
  }
  return ticks * 10_000
}

const words = 'committee considered several readings of the clause before it settled on one and wrote why the others fail'.split(' ')

/** Text of about so many characters that is another one for every trial. */
function textOf(ordinal: number, length: number): string {
  let text = ''
  for (let at = 0; text.length < length; at++) text += `${words[(ordinal * 7 + at * at) % words.length]}${(ordinal * 31 + at) % 97} `
  return text
}

async function drainRun(store: Store, dataDir: string, { trials: rows, bytes, batch }: Options): Promise<string> {
  const spec = exampleSpec()
  const head = exampleHead(spec)
  await store.createRun(spec, head, null)
  const more = Math.max(0, bytes - 1500)
  const trialOf = (ordinal: number) => {
    const trial = exampleTrial(ordinal, { explanation: textOf(ordinal, 570), outcome: ordinal % 10 === 3 ? 'wrong' : 'right' })
    const { evidence } = trial.record
    if (evidence === null) return trial
    const searched = `${evidence.text} ${textOf(ordinal, Math.ceil(more / 3))}`
    return {
      ...trial,
      record: { ...trial.record, evidence: { ...evidence, text: searched, reasoning: textOf(ordinal, 2 * Math.ceil(more / 3)) } },
    }
  }
  console.log(`${rows} trials, a record of ${JSON.stringify(trialOf(0).record).length} bytes`)
  const spent = { wallMs: 0, ownUs: 0, postgresUs: -(await postgresCpuUs(dataDir)) }
  for (let at = 0; at < rows; at += batch) {
    const trials = Array.from({ length: Math.min(batch, rows - at) }, (_, index) => trialOf(at + index))
    const before = { wall: performance.now(), own: process.cpuUsage() }
    await store.drain({ run_id: spec.run_id, openings: [], trials, events: [], head: { ...head, seq: at + 1 } })
    spent.wallMs += performance.now() - before.wall
    const own = process.cpuUsage(before.own)
    spent.ownUs += own.user + own.system
  }
  spent.postgresUs += await postgresCpuUs(dataDir)
  const each = (us: number) => `${(us / rows).toFixed(1)} µs`
  console.log(`drain: ${Math.round(rows / (spent.wallMs / 1000))} trials/s, ${each(spent.wallMs * 1000)} a trial`)
  console.log(`processor time a trial: store and endpoint ${each(spent.ownUs)}, PostgreSQL ${each(spent.postgresUs)}`)
  return spec.run_id
}

const asText = (query: object) => Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))
const longestMs = 300

async function measureReads(store: Store, run_id: string, trials: number): Promise<number> {
  const middle = Math.floor(trials / 2)
  const queries = {
    'first rows': {},
    'rows at the end': { offset: trials - 100 },
    'filter outcome=wrong': { outcome: 'wrong' },
    'slowest first': { order: 'latency' },
    'search, one hit': { q: `item ${middle}.` },
    'search, many hits': { q: 'a), item 7' },
    'search, all hits': { q: 'the answer' },
    'search, no hit': { q: 'no such words anywhere' },
    'search and filter': { q: 'item 42', outcome: 'wrong' },
  }
  let late = 0
  const told = async (name: string, read: () => Promise<number>) => {
    const took: number[] = []
    let found = 0
    for (let time = 0; time < 3; time++) {
      const beganMs = performance.now()
      found = await read()
      took.push(performance.now() - beganMs)
    }
    const [, medianMs = 0] = took.toSorted((a, b) => a - b)
    if (medianMs > longestMs) late++
    console.log(
      `${name.padEnd(34)} ${String(found).padStart(7)} found  ${medianMs.toFixed(0).padStart(5)} ms  (first ${took[0]!.toFixed(0)} ms)`,
    )
  }
  for (const [name, query] of Object.entries(queries)) {
    await told(`list: ${name}`, async () => (await store.listItemRows(run_id, ItemRowQuery.parse(asText(query)), null)).total)
    await told(`items: ${name}`, async () => (await store.listItems(run_id, 'mmlu_pro', ItemQuery.parse(asText(query)))).total)
  }
  await told('items: page by ordinal', async () => (await store.listItems(run_id, null, ItemQuery.parse({ after: String(middle) }))).total)
  await told('one item with its neighbours', async () => {
    const found = await store.findItem(run_id, 'mmlu_pro', String(middle), 0, ItemQuery.parse({}))
    return found ? 1 : 0
  })
  return late > 0 ? 1 : 0
}
