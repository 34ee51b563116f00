import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { connect } from '#db/connect.ts'
import { createStore } from '#db/create-store.ts'
import { exampleHead, exampleSpec, exampleTrial } from '#db/example-run.ts'
import { buildIfChanged } from '../../edge/local/build.ts'
import type { DatabaseAddress } from '../../edge/local/part-specs.ts'
import { writeSyntheticItems } from './synthetic-items.ts'
import { root, type System, startSystem } from './system.ts'

const usage = `npm run bench -- crowd [options]

  --trials 20000   trials of the run that everybody asks for
  --searches 20    anonymous searches at once
  --zips 8         anonymous downloads of its signed ZIP at once
  --verify 20      anonymous verifications at once, of the ZIP of a run of 2,000 trials`

const strangersHost = 'stranger.test:80'
const mostMs = 100

type Asked = { status: number; bytes: number }
type Ask = (method: string, path: string, body?: { type: string; bytes: Uint8Array }) => Promise<Asked & { whole: Buffer }>

/** What a crowd of strangers does to whoever asks for something cheap. Exit code 1 when one in a hundred of these waited longer than 100 ms. */
export async function crowd(args: string[]): Promise<number> {
  const options = readOptions(args)
  if (!options) return 2
  const scratch = mkdtempSync(join(tmpdir(), 'bench-crowd-'))
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

type Options = Record<'trials' | 'searches' | 'zips' | 'verify', number>

function readOptions(args: string[]): Options | null {
  try {
    const text = (standard: string) => ({ type: 'string' as const, default: standard })
    const { values } = parseArgs({ args, options: { trials: text('20000'), searches: text('20'), zips: text('8'), verify: text('20') } })
    const options = {
      trials: Number(values.trials),
      searches: Number(values.searches),
      zips: Number(values.zips),
      verify: Number(values.verify),
    }
    if (Object.values(options).every((value) => Number.isSafeInteger(value) && value >= 0)) return options
  } catch {
    // Told below.
  }
  console.error(usage)
  return null
}

async function measure(system: System, { trials, searches, zips, verify }: Options): Promise<number> {
  const [big, small] = [await fill(system, trials), await fill(system, 2_000)]
  const ask = asker(system.url)
  const zip = await ask('GET', `/api/runs/${small}/export?format=zip`)
  console.log(`a run of ${trials} trials; a ZIP of 2,000 trials has ${zip.bytes} bytes (${zip.status})`)
  const form = formOf(zip.whole)
  const quiet = await healthDuring(ask, pause(2_000))
  const answers: Record<string, Promise<Asked[]>> = {
    searches: Promise.all(Array.from({ length: searches }, (_, at) => ask('GET', `/api/runs/${big}/rows?q=item%20${at}7`))),
    ZIPs: Promise.all(Array.from({ length: zips }, () => ask('GET', `/api/runs/${big}/export?format=zip`))),
    verifications: Promise.all(Array.from({ length: verify }, () => ask('POST', '/api/exports/verify', form))),
  }
  const busy = await healthDuring(ask, Promise.all(Object.values(answers)))
  for (const [name, asked] of Object.entries(answers)) console.log(`${name}: ${countsOf(await asked)}`)
  for (const [name, took] of Object.entries({ quiet, 'with the crowd': busy })) console.log(`/api/health, ${name}: ${quantiles(took)}`)
  return busy.at(Math.floor(busy.length * 0.99))! > mostMs ? 1 : 0
}

/** A public run that has ended, in the record. */
async function fill(system: System, trials: number): Promise<string> {
  const { url, endpoint_url } = system.database.said as DatabaseAddress // what the part says when it is ready
  const store = createStore(connect(url, { fetchEndpoint: endpoint_url }))
  const example = exampleSpec({ visibility: 'public' })
  const spec = { ...example, benchmarks: example.benchmarks.map((planned) => ({ ...planned, sampled_items: trials })) }
  const head = exampleHead(spec)
  await store.createRun(spec, head, null)
  for (let at = 0; at < trials; at += 500) {
    const batch = Array.from({ length: Math.min(500, trials - at) }, (_, index) => exampleTrial(at + index))
    const tally = { ...head.benchmarks.mmlu_pro!, right: trials, total: trials, score_sum: trials }
    const ended = { ...head, status: 'succeeded' as const, seq: at + 1, done: trials, total: trials, completed_at: spec.created_at }
    await store.drain({ run_id: spec.run_id, openings: [], trials: batch, events: [], head: { ...ended, benchmarks: { mmlu_pro: tally } } })
  }
  return spec.run_id
}

/** Asks as a stranger would, on connections of his own. */
function asker(url: string): Ask {
  return (method, path, body) =>
    new Promise((resolve, reject) => {
      const headers = { host: strangersHost, ...(body && { 'content-type': body.type, 'content-length': body.bytes.length }) }
      const sent = request(new URL(path, url), { method, headers, agent: false }, async (response) => {
        const pieces: Buffer[] = []
        try {
          for await (const piece of response) pieces.push(piece as Buffer)
          const whole = Buffer.concat(pieces)
          resolve({ status: response.statusCode ?? 0, bytes: whole.length, whole })
        } catch (error) {
          reject(error)
        }
      })
      sent.once('error', reject)
      sent.end(body?.bytes)
    })
}

function formOf(file: Buffer): { type: string; bytes: Uint8Array } {
  const boundary = 'bench-crowd'
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.zip"\r\ncontent-type: application/zip\r\n\r\n`
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.concat([Buffer.from(head), file, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  }
}

/** How long answers to `/api/health` took while something went on, in ms, shortest first. */
async function healthDuring(ask: Ask, work: Promise<unknown>): Promise<number[]> {
  const took: number[] = []
  let over = false
  const ended = work.finally(() => {
    over = true
  })
  while (!over) {
    const beganMs = performance.now()
    await ask('GET', '/api/health')
    took.push(performance.now() - beganMs)
    await pause(10)
  }
  await ended
  return took.toSorted((a, b) => a - b)
}

function countsOf(asked: readonly Asked[]): string {
  const counts = Map.groupBy(asked, ({ status }) => status)
  return [...counts].map(([status, all]) => `${all.length} × ${status}`).join(', ')
}

function quantiles(took: readonly number[]): string {
  const at = (share: number) => `${took[Math.min(took.length - 1, Math.floor(took.length * share))]!.toFixed(0)} ms`
  return `p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}, most ${at(1)} (${took.length} times)`
}
