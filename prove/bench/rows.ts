import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { datasetEnv } from '#fleet/dataset/dataset-env.ts'
import { openDataset } from '#fleet/dataset/open-dataset.ts'
import { describeOverrides } from '#fleet/dataset/overrides.ts'
import { surveyDataset } from '#fleet/dataset/survey-rows.ts'
import { openHeavyPool } from '#fleet/threads/heavy-pool.ts'
import task from '#shared/benchmarks/mmlu_pro/task.ts'

const usage = `npm run bench -- rows [options]

  --gigabytes 5    size of the file, in units of 10^9 bytes
  --dir PATH       where it is made; needs that much room (the system's folder for temporary files unless said otherwise)`

const rowBytes = 2000
const mebibytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`

/** Makes a data file of JSON lines, opens it as an agent does, and prints what each step took. Exit code 1 when memory grew with the file. */
export async function rows(args: string[]): Promise<number> {
  const options = { gigabytes: { type: 'string', default: '5' }, dir: { type: 'string', default: tmpdir() } } as const
  const { values } = parseArgs({ args, options })
  const bytes = Number(values.gigabytes) * 1e9
  if (!(bytes >= rowBytes)) {
    console.error(usage)
    return 2
  }
  const root = await mkdtemp(join(values.dir, 'bench-rows-'))
  const heavy = openHeavyPool()
  try {
    const path = join(root, 'rows.jsonl')
    const count = Math.floor(bytes / rowBytes)
    await pipeline(Readable.from(lines(count)), createWriteStream(path, { highWaterMark: 2 ** 20 }))
    console.log(`${count.toLocaleString('en')} rows of ${rowBytes} bytes, Node ${process.versions.node}\n`)
    return await measured(root, path, heavy)
  } finally {
    await heavy.close()
    await rm(root, { recursive: true })
  }
}

async function measured(root: string, path: string, heavy: ReturnType<typeof openHeavyPool>): Promise<number> {
  const overrides = JSON.stringify({ mmlu_pro: { files: [{ role: 'test', path }] } })
  const folders = { cacheDir: join(root, 'cache'), benchmarksDir: root, heavy }
  const env = datasetEnv({ BENCH_DATA_OVERRIDES: overrides }, folders)
  const profile = task.card.profiles.find(({ id }) => id === 'builtin')!
  const first = await step('hash and index', async () => {
    const described = await describeOverrides(env)
    if (!described.ok) throw new Error(described.failure.detail)
    return described.value.mmlu_pro!
  })
  const open = async () => {
    const dataset = await openDataset({ benchmark: 'mmlu_pro', identity: first.value, roles: ['test'] }, env)
    if (!dataset.ok) throw new Error(dataset.failure.detail)
    const survey = await surveyDataset(task, profile, dataset.value, env)
    if (!survey.ok) throw new Error(survey.failure.detail)
    const { rows, close } = dataset.value
    return { ...(await task.open({ profile, texts: {}, rows, survey: survey.value })), close }
  }
  const surveyed = await step('look through all rows', open)
  await surveyed.value.close()
  const opened = await step('open again', open)
  const { count, item, close } = opened.value
  const inOrder = await step('10,000 items in order', () => readItems(10_000, (at) => item(at % count, 0)))
  const anywhere = await step('10,000 items from anywhere', () => readItems(10_000, (at) => item((at * 7_919_993) % count, 0)))
  await close()
  const most = Math.max(...[first, surveyed, opened, inOrder, anywhere].map(({ rss }) => rss))
  console.log(`\nmost memory of the process, its threads included: ${mebibytes(most)} (target below 1,024 MiB whatever the size)`)
  return most < 2 ** 30 ? 0 : 1
}

async function readItems(times: number, item: (at: number) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < times; at++) await item(at)
}

/** Does a step and prints how long it took, the memory it had at most, and the longest time in which this thread did nothing else. */
async function step<T>(name: string, work: () => Promise<T>): Promise<{ value: T; rss: number }> {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  let rss = process.memoryUsage.rss()
  const timer = setInterval(() => {
    rss = Math.max(rss, process.memoryUsage.rss())
  }, 100)
  const from = performance.now()
  try {
    const value = await work()
    const seconds = (performance.now() - from) / 1000
    const held = Math.max(rss, process.memoryUsage.rss())
    delay.disable()
    console.log(
      `${name.padEnd(28)}${seconds.toFixed(2).padStart(9)} s${mebibytes(held).padStart(12)}   longest block ${(delay.max / 1e6).toFixed(0)} ms`,
    )
    return { value, rss: held }
  } finally {
    clearInterval(timer)
  }
}

function* lines(count: number): Generator<string> {
  const row = (n: number): string => {
    const cells = { question_id: n, question: '', options: ['one', 'two'], answer: 'A', cot_content: '', category: 'math', src: 'made' }
    const room = rowBytes - 1 - JSON.stringify(cells).length
    return `${JSON.stringify({ ...cells, question: 'x'.repeat(room) })}\n`
  }
  for (let n = 0; n < count; n += 500) yield Array.from({ length: Math.min(500, count - n) }, (_, at) => row(n + at)).join('')
}
