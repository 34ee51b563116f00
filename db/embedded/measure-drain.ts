import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ItemQuery } from '#shared/contract/api.ts'
import { connect } from '../connect.ts'
import { createStore } from '../create-store.ts'
import { exampleHead, exampleSpec, exampleTrial } from '../example-run.ts'
import { startLocalDatabase } from './local-database.ts'

/** What draining and listing cost here: `node db/embedded/measure-drain.ts [rows] [rows a batch]`. Rows have about 1.5 KB. */
const rows = Number(process.argv[2] ?? 20_000)
const size = Number(process.argv[3] ?? 500)

/** Processor time of all processes named postgres, in microseconds (ticks of 10 ms; Linux only). */
async function postgresCpuUs(): Promise<number> {
  let ticks = 0
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    if (!stat.includes('(postgres)')) continue
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    ticks += Number(fields[11]) + Number(fields[12])
  }
  return ticks * 10_000
}

const filler = 'The committee considered several readings of the clause before it settled on one. '
const dataDir = await mkdtemp(path.join(tmpdir(), 'bench-measure-'))
const local = await startLocalDatabase({ dataDir })
const store = createStore(connect(local.databaseUrl, { fetchEndpoint: local.endpointUrl }))
try {
  const spec = exampleSpec()
  const head = exampleHead(spec)
  await store.createRun(spec, head, null)
  const trials = Array.from({ length: rows }, (_, ordinal) => exampleTrial(ordinal, { explanation: filler.repeat(7) }))
  console.log(`record: ${JSON.stringify(trials[0]?.record).length} bytes`)
  const before = { wall: performance.now(), own: process.cpuUsage(), postgres: await postgresCpuUs() }
  for (let at = 0; at < rows; at += size) {
    await store.drain({
      run_id: spec.run_id,
      openings: [],
      trials: trials.slice(at, at + size),
      events: [],
      head: { ...head, seq: at + 1 },
    })
  }
  const wallUs = (performance.now() - before.wall) * 1000
  const own = process.cpuUsage(before.own)
  const postgresUs = (await postgresCpuUs()) - before.postgres
  const each = (us: number) => (us / rows).toFixed(1)
  console.log(`drain: ${Math.round(rows / (wallUs / 1e6))} rows/s, ${each(wallUs)} µs a row`)
  console.log(`processor time a row: store and endpoint ${each(own.user + own.system)} µs, PostgreSQL ${each(postgresUs)} µs`)
  const queries = {
    'first page': {},
    'last page by offset': { offset: rows - 100 },
    'page by ordinal': { after: rows / 2 },
    'outcome=wrong': { outcome: 'wrong' },
    'slowest first': { order: 'latency' },
    'text search': { q: 'item 4711' },
  }
  for (const [name, query] of Object.entries(queries)) {
    const start = performance.now()
    const { items, total } = await store.listItems(spec.run_id, 'mmlu_pro', ItemQuery.parse(query))
    console.log(`${name}: ${items.length} of ${total} in ${(performance.now() - start).toFixed(0)} ms`)
  }
  const start = performance.now()
  await store.findItem(spec.run_id, 'mmlu_pro', '4711', 0, ItemQuery.parse({}))
  console.log(`one item with neighbours: ${(performance.now() - start).toFixed(0)} ms`)
} finally {
  await local.stop()
  await rm(dataDir, { recursive: true, force: true })
}
