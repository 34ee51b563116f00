import { spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { availableParallelism, loadavg } from 'node:os'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { createModelClient, defaultTimeouts } from '#fleet/model/model-client.ts'
import type { Completion } from '#shared/solvers/kit.ts'
import { type Truth, trueGapMs, trueTtftMs } from '../provider/truth.ts'
import { canMeasure, machineCost } from './process-cost.ts'

const usage = `npm run bench -- stream-truth [options]

  --answers 2000   answers that are read
  --wide 20        of them at once
  --gap 1..200     milliseconds before each token, drawn evenly
  --tokens 8       deltas of an answer
  --keep-alive N   a comment every N ms beside them
  --seed 1`

/** What may lie between our figures and the truth in 99 of 100 answers, in milliseconds. */
const promisedMs = 5
const params = { temperature: 0, top_p: null, max_tokens: 64, stop: null, seed: null, reasoning_effort: null }

type Pair = { ours: Completion; truth: Truth }

/**
 * Reads answers of a simulated provider, a process of its own, and compares first token and longest gap as the model client measures them with the log of
 * what that process sent when. Exit code 1 where one in a hundred is off by 5 ms or more, or an answer failed.
 */
export async function streamTruth(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      answers: { type: 'string', default: '2000' },
      wide: { type: 'string', default: '20' },
      gap: { type: 'string', default: '1..200' },
      tokens: { type: 'string', default: '8' },
      'keep-alive': { type: 'string' },
      seed: { type: 'string', default: '1' },
    },
  })
  const [answers, wide, tokens] = [values.answers, values.wide, values.tokens].map(Number) as [number, number, number]
  if (![answers, wide, tokens].every((count) => Number.isInteger(count) && count >= 1) || !/^\d+(\.\.\d+)?$/.test(values.gap)) {
    console.error(usage)
    return 2
  }
  const pace = [
    '--first-ms',
    values.gap,
    '--gap-ms',
    values.gap,
    '--chunk-chars',
    '4',
    '--answer',
    'word'.repeat(tokens),
    '--seed',
    values.seed,
  ]
  const alive = values['keep-alive'] === undefined ? [] : ['--keep-alive-ms', values['keep-alive']]
  const main = new URL('../provider/main.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [main, ...pace, ...alive], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const { value: line } = await createInterface(child.stdout)[Symbol.asyncIterator]().next()
    const { url }: { url: string } = JSON.parse(String(line))
    const before = canMeasure ? machineCost() : null
    const idle = new Worker(new URL('./idle-thread.ts', import.meta.url))
    const startedMs = performance.now()
    const pairs = await readAnswers(url, answers, wide)
    const seconds = (performance.now() - startedMs) / 1000
    return report(pairs, answers, { seconds, wide, busy: busyShare(before), stalls: await stallsOf(idle) })
  } finally {
    child.kill('SIGTERM')
  }
}

const questionOf = (index: number): string => `Question ${index}`

async function readAnswers(url: string, answers: number, wide: number): Promise<Pair[]> {
  const options = { baseUrl: url, apiKey: 'sim-key', model: 'sim', kind: 'openai' as const, connections: wide, timeouts: defaultTimeouts }
  const client = createModelClient(options)
  const read = new Map<string, Completion>()
  // Two rounds that are not counted: connections are made and code is compiled.
  let next = -2 * wide
  const worker = async (): Promise<void> => {
    while (next < answers) {
      const index = next++
      const content = questionOf(index)
      const result = await client.call({ messages: [{ role: 'user', content }], params }, null)
      if (result.ok && index >= 0) read.set(hash('sha256', content), result.value)
      else if (!result.ok) console.error(`${content}: ${result.failure.reason} ${result.failure.detail}`)
    }
  }
  await Promise.all(Array.from({ length: wide }, worker))
  await client.close()
  const truths = (await (await fetch(new URL('/_sim/truth', url))).json()) as Truth[]
  return truths.flatMap((truth) => {
    const ours = read.get(truth.prompt_sha256)
    return ours ? [{ ours, truth }] : []
  })
}

/** How much of the machine was at work meanwhile, from 0 to 1; null where it does not tell. */
function busyShare(before: ReturnType<typeof machineCost> | null): number | null {
  if (!before) return null
  const after = machineCost()
  return (after.busy_us - before.busy_us) / (after.all_us - before.all_us)
}

/** How late a thread that does nothing was let run by the machine. */
async function stallsOf(idle: Worker): Promise<{ p99_ms: number; most_ms: number }> {
  idle.postMessage('stop')
  const [told] = await once(idle, 'message')
  return told
}

type Load = { seconds: number; wide: number; busy: number | null; stalls: { p99_ms: number; most_ms: number } }

function report(pairs: readonly Pair[], answers: number, { seconds, wide, busy, stalls }: Load): number {
  const off = {
    'first token': pairs.map(({ ours, truth }) => Math.abs((ours.ttft_ms ?? Number.NaN) - (trueTtftMs(truth) ?? Number.NaN))),
    'longest gap': pairs.map(({ ours, truth }) => Math.abs((ours.max_gap_ms ?? Number.NaN) - trueGapMs(truth))),
  }
  const load = `load ${loadavg()[0]!.toFixed(2)} on ${availableParallelism()} CPUs${busy === null ? '' : `, ${(100 * busy).toFixed(0)} % busy`}`
  console.log(`${pairs.length} of ${answers} answers, ${wide} at once, in ${seconds.toFixed(1)} s; ${load}`)
  console.log(`a thread that does nothing ran late by ${stalls.p99_ms.toFixed(1)} ms at p99, ${stalls.most_ms.toFixed(1)} ms at most`)
  console.log('|ours - truth|    p50 ms   p90 ms   p99 ms   most ms')
  for (const [name, values] of Object.entries(off)) {
    const shown = [0.5, 0.9, 0.99, 1].map((share) => quantile(values, share).toFixed(3).padStart(8))
    console.log(`${name.padEnd(15)} ${shown.join(' ')}`)
  }
  const kept = Object.values(off).every((values) => quantile(values, 0.99) < promisedMs)
  return pairs.length === answers && kept ? 0 : 1
}

/** The nearest rank; what cannot be compared is as far off as can be. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.map((value) => (Number.isNaN(value) ? Number.POSITIVE_INFINITY : value)).sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.POSITIVE_INFINITY
}
