import { parseArgs } from 'node:util'
import { createAdaptiveLimiter } from '#fleet/model/adaptive-limiter.ts'
import { createGenerate, retryClock } from '#fleet/model/generate.ts'
import { createModelClient, defaultTimeouts, type ModelClient } from '#fleet/model/model-client.ts'
import type { ModelRequest } from '#fleet/model/request-body.ts'
import { nextStep, retryPolicy } from '#fleet/model/retry.ts'
import { defaultLimits } from '#shared/contract/limits.ts'
import { type ProviderOptions, startProvider } from '../provider/provider.ts'

const usage = `npm run bench -- refusals [options]

  --seconds 60     length of each measurement
  --width 100      calls at once
  --latency-ms 50  how long an answer takes; a refusal comes at once`

const params = { temperature: 0, top_p: null, max_tokens: 16, stop: null, seed: null, reasoning_effort: null }
const request: ModelRequest = { messages: [{ role: 'user', content: 'Which?' }], params }
/** Whoever is patient tries until he is answered; only then the two can be compared. */
const limits = { ...defaultLimits, attempts: 1000, patience_ms: 3_600_000 }

type Ask = (client: ModelClient, signal: AbortSignal) => () => Promise<unknown>
type Measured = { answered: number; refused: number }

/** Our client behind its limiter; the limiter is the key's, as in an agent. */
const ours =
  (width: number): Ask =>
  (client, signal) => {
    const limiter = createAdaptiveLimiter({ max: width })
    const generate = createGenerate({ client, limiter, limits, signal, onCall: () => undefined })
    return () => generate(request)
  }

/** A client of fixed width that knows no limiter: a refused call waits alone, as long as ours would, and comes again. */
const patient: Ask = (client, signal) => async () => {
  for (let attempts = 1; !signal.aborted; attempts++) {
    const result = await client.call(request, signal)
    if (result.ok) return
    const step = nextStep(result.failure, { attempts, timeouts: 0 }, 0, result.retry_after_ms, Math.random(), retryPolicy(limits))
    if (step.type === 'give-up') return
    await retryClock.wait(step.wait_ms, signal)
  }
}

async function measure(options: ProviderOptions, width: number, seconds: number, ask: Ask): Promise<Measured> {
  const provider = await startProvider(options)
  const client = createModelClient({
    baseUrl: provider.url,
    apiKey: 'sk-of-the-bench',
    model: 'sim',
    kind: 'openai',
    connections: width,
    timeouts: defaultTimeouts,
  })
  const abort = new AbortController()
  const once = ask(client, abort.signal)
  const worker = async (): Promise<void> => {
    while (!abort.signal.aborted) await once().catch(() => undefined) // dropped at the end
  }
  const timer = setTimeout(() => abort.abort(new Error('the time is over')), seconds * 1000)
  await Promise.all(Array.from({ length: width }, worker))
  clearTimeout(timer)
  await client.close()
  await provider.close()
  const { entries } = provider.ledger
  const refused = entries.filter(({ status }) => status === 429).length
  return { answered: entries.length - refused, refused }
}

const share = ({ answered, refused }: Measured): string => `${((100 * refused) / Math.max(1, answered + refused)).toFixed(1)} %`

/** What is left of a patient client's pace where a share of calls is refused by chance, and how a real limit is used that names no wait. */
export async function refusals(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: '60' },
      width: { type: 'string', default: '100' },
      'latency-ms': { type: 'string', default: '50' },
    },
  })
  const [seconds, width, latency_ms] = [values.seconds, values.width, values['latency-ms']].map(Number) as [number, number, number]
  if (![seconds, width, latency_ms].every((value) => Number.isInteger(value) && value >= 1)) {
    console.error(usage)
    return 2
  }
  let ok = true
  for (const by of [5, 20, 60]) {
    const options: ProviderOptions = {
      latency_ms,
      script: [{ fault: { kind: 'status', status: 429 }, from: 1, to: null, share: by / 100 }],
    }
    const [theirs, mine] = [await measure(options, width, seconds, patient), await measure(options, width, seconds, ours(width))]
    const part = mine.answered / theirs.answered
    ok &&= part >= 0.7
    console.log(
      `${by} % refused by chance: ${(mine.answered / seconds).toFixed(0)} answers/s, a patient client of width ${width} ${(theirs.answered / seconds).toFixed(0)}: ${(100 * part).toFixed(0)} %; refused ${share(mine)}`,
    )
  }
  const limit = 50
  const limited = await measure({ latency_ms, rate: { per_second: limit, retry_after: 'none' } }, width, seconds * 2, ours(width))
  const used = limited.answered / (seconds * 2 * limit)
  ok &&= used >= 0.97 && limited.refused < 0.02 * (limited.answered + limited.refused)
  console.log(
    `${limit} requests/s and no wait named: ${(limited.answered / seconds / 2).toFixed(1)} answers/s, ${(100 * used).toFixed(1)} % of the limit; refused ${share(limited)}`,
  )
  return ok ? 0 : 1
}
