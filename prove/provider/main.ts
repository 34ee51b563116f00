import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import * as z from 'zod'
import { startProvider } from './provider.ts'
import { type RetryAfterForm, retryAfterForms } from './rate-window.ts'
import type { Reply } from './reply.ts'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    ledger: { type: 'string' },
    mode: { type: 'string', default: 'stream' },
    'latency-ms': { type: 'string', default: '0' },
    'drip-ms': { type: 'string', default: '5' },
    'chunk-chars': { type: 'string', default: '16' },
    usage: { type: 'string', default: 'last' },
    rate: { type: 'string' },
    'retry-after': { type: 'string', default: 'seconds' },
    script: { type: 'string' },
    seed: { type: 'string', default: '1' },
    replies: { type: 'string' },
    answer: { type: 'string', default: 'The answer is (A)' },
  },
})

const RecordedReply = z.object({
  prompt_sha256: z.string(),
  text: z.string(),
  reasoning: z.string().optional(),
  finish_reason: z.string().optional(),
})

/** Recorded replies by the hash of their prompt; prompts that were not recorded get the fixed answer. */
function answerFrom(file: string | undefined, fixed: string): (prompt: string) => Reply {
  if (!file) return () => ({ text: fixed })
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  const replies = new Map(lines.map((line) => RecordedReply.parse(JSON.parse(line))).map((reply) => [reply.prompt_sha256, reply]))
  return (prompt) => replies.get(hash('sha256', prompt)) ?? { text: fixed }
}

const provider = await startProvider({
  port: Number(values.port),
  ledger_file: values.ledger ?? null,
  mode: z.enum(['stream', 'drip']).parse(values.mode),
  latency_ms: Number(values['latency-ms']),
  drip_ms: Number(values['drip-ms']),
  chunk_chars: Number(values['chunk-chars']),
  usage: z.enum(['last', 'every', 'none']).parse(values.usage),
  rate: values.rate
    ? { per_second: Number(values.rate), retry_after: z.enum(retryAfterForms).parse(values['retry-after']) satisfies RetryAfterForm }
    : null,
  script: values.script ? JSON.parse(readFileSync(values.script, 'utf8')) : [],
  seed: Number(values.seed),
  answer: answerFrom(values.replies, values.answer),
})
console.log(JSON.stringify({ port: provider.port, url: provider.url }))

const stop = (): void => {
  void provider.close().then(() => process.exit(0))
}
process.once('SIGTERM', stop)
process.once('SIGINT', stop)
