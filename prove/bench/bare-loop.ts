import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { card } from '#shared/benchmarks/mmlu_pro/card.ts'
import task from '#shared/benchmarks/mmlu_pro/task.ts'
import { itemsOf, openLists } from '#shared/benchmarks/testing/open-lists.ts'

/**
 * The least a client can do: the same requests as the run's, `BENCH_WIDTH` at a time, every answer read to its end and thrown away.
 * Bodies are made before the clock starts. Reports seconds over IPC.
 */
const { BENCH_CLIENT, BENCH_URL = '', BENCH_ITEMS = '', BENCH_TRIALS = '0', BENCH_WIDTH = '1' } = process.env
const trials = Number(BENCH_TRIALS)
const url = new URL(`${BENCH_URL}/chat/completions`)
const rows = readFileSync(BENCH_ITEMS, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line): unknown => JSON.parse(line))
const profile = card.profiles.find((each) => each.id === 'builtin')!
const items = await itemsOf(await openLists(task, { profile, texts: {}, rows: { test: rows } }))
const bodies = items.map(({ messages }) =>
  JSON.stringify({
    model: 'sim',
    stream: true,
    stream_options: { include_usage: true },
    temperature: 0,
    top_p: 1,
    max_tokens: 4000,
    messages,
  }),
)
const headers = { 'content-type': 'application/json', authorization: 'Bearer sim-key' }
const agent = new Agent({ keepAlive: true, maxSockets: Number(BENCH_WIDTH) })

const byHttp = (body: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const asked = request(
      url,
      { method: 'POST', agent, headers: { ...headers, 'content-length': Buffer.byteLength(body) } },
      (response) => {
        response.on('data', () => undefined)
        response.once('end', resolve)
        response.once('error', reject)
      },
    )
    asked.once('error', reject)
    asked.end(body)
  })
const byFetch = async (body: string): Promise<void> => {
  const response = await fetch(url, { method: 'POST', headers, body })
  await response.text()
}

let next = 0
const call = BENCH_CLIENT === 'fetch' ? byFetch : byHttp
const worker = async (): Promise<void> => {
  while (next < trials) await call(bodies[next++ % bodies.length]!)
}
const fromMs = performance.now()
await Promise.all(Array.from({ length: Number(BENCH_WIDTH) }, worker))
process.send?.({ type: 'ready', seconds: (performance.now() - fromMs) / 1000 })
agent.destroy()
