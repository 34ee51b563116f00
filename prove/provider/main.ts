import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import * as z from 'zod'
import { dialectRows } from './dialect-reply.ts'
import type { FaultRule, Span } from './fault.ts'
import { startProvider } from './provider.ts'
import { type RetryAfterForm, retryAfterForms } from './rate-window.ts'
import type { Reply } from './reply.ts'

const usage = `node prove/provider/main.ts [options]

A simulated OpenAI-compatible provider on loopback. It prints {"port","url"} when it serves, and ends at SIGTERM or Ctrl-C. Model: sim; any key.

  --port 0                 where it listens; 0: any free port
  --answer TEXT            what it says to every question
  --replies FILE           recorded replies, JSON lines of prompt_sha256, text, reasoning, finish_reason; other questions get --answer
  --latency-ms 0           before the head of every response
  --mode stream|drip       the answer in one piece, or a frame every --drip-ms (5)
  --first-ms A or A..B     the head at once, the first token after so long (a seeded draw between two)
  --gap-ms A or A..B       and each later token after so long
  --keep-alive-ms N        a comment every N ms in such an answer
  --chunk-chars 16         characters of a delta
  --usage last|every|none  where an answer tells its usage
  --rate N                 requests a second of one key; others get 429
  --retry-after FORM       ${retryAfterForms.join('|')}: how a 429 asks to wait
  --script FILE            faults, see below; PUT /_sim/script replaces them
  --seed 1                 same seed and script, same faults and gaps
  --ledger FILE            one JSON line for each request: who, when, status, fault, tokens billed
  --truth FILE             one JSON line for each answer: when the request was read and each piece was sent, on the machine's monotonic clock

GET /_sim/ledger, /_sim/truth (with --truth, --first-ms or --gap-ms) and /_sim/cpu (microseconds) tell the same over HTTP.

A script is a JSON list of rules {"fault": {...}, "from": 1, "to": null, "share": 1}: requests by arrival, and a share of them. The first that strikes does.

  {"kind":"status","status":429,"headers":{"retry-after":"2"},"body":"..."}    any status; 429 with or without Retry-After, 5xx
  {"kind":"quota","reset_in_s":3600,"form":"iso|seconds|milliseconds"}         402 as Chutes says it, with its reset time
  {"kind":"hang","when":"headers|body|middle"}                                 silence
  {"kind":"cut","after_bytes":100,"how":"destroy|end"}                         a stream that breaks off
  {"kind":"error-in-200","framed":true,"error":{"code":502},"after_bytes":0}   an error under status 200; framed false: bare behind the stream, as Chutes does
  {"kind":"usage","usage":{"prompt_tokens":-1}}                                a whole answer with this usage
  {"kind":"garbage","bytes":512}  {"kind":"html"}  {"kind":"raw","bytes":""}   bytes that are no answer, a page, no HTTP
  {"kind":"body","body":"..."}                                                 any body under status 200
  {"kind":"paced","first_ms":200,"gap_ms":[1,200],"keep_alive_ms":1500}        a right answer at a pace of its own
  {"kind":"slow","bytes":1,"every_ms":10}                                      a right answer in pieces of so many bytes
  {"kind":"dialect","dialect":{"usage":"x_groq","trailing":"silence"}}         a right answer as another server puts it; columns and rows are below
  {"kind":"redirect","location":"..."}  {"kind":"endless"}  {"kind":"big-header"}  {"kind":"gzip"}

Columns of dialects and their rows:

${Object.entries(dialectRows)
  .map(([column, rows]) => `  ${column}: ${column === 'finish' ? 'any finish reason' : rows.join(' | ')}`)
  .join('\n')}`

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    port: { type: 'string', default: '0' },
    ledger: { type: 'string' },
    truth: { type: 'string' },
    mode: { type: 'string', default: 'stream' },
    'latency-ms': { type: 'string', default: '0' },
    'drip-ms': { type: 'string', default: '5' },
    'first-ms': { type: 'string' },
    'gap-ms': { type: 'string' },
    'keep-alive-ms': { type: 'string' },
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
if (values.help) {
  console.log(usage)
  process.exit(0)
}

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

/** `200`, or `1..200` for a draw. */
function spanOf(text: string | undefined): Span | undefined {
  if (text === undefined) return undefined
  const [least, most] = text.split('..').map(Number)
  return most === undefined ? least : [least!, most] // a split text has a first part
}

/** The pace of every answer that no fault strikes. */
function paceRule(): FaultRule[] {
  const [first_ms, gap_ms] = [spanOf(values['first-ms']), spanOf(values['gap-ms'])]
  if (first_ms === undefined && gap_ms === undefined) return []
  const keep_alive_ms = values['keep-alive-ms'] === undefined ? null : Number(values['keep-alive-ms'])
  return [{ fault: { kind: 'paced', first_ms: first_ms ?? 0, gap_ms: gap_ms ?? 0, keep_alive_ms }, from: 1, to: null, share: 1 }]
}

const provider = await startProvider({
  port: Number(values.port),
  ledger_file: values.ledger ?? null,
  truth: paceRule().length > 0,
  truth_file: values.truth ?? null,
  mode: z.enum(['stream', 'drip']).parse(values.mode),
  latency_ms: Number(values['latency-ms']),
  drip_ms: Number(values['drip-ms']),
  chunk_chars: Number(values['chunk-chars']),
  usage: z.enum(['last', 'every', 'none']).parse(values.usage),
  rate: values.rate
    ? { per_second: Number(values.rate), retry_after: z.enum(retryAfterForms).parse(values['retry-after']) satisfies RetryAfterForm }
    : null,
  script: [...(values.script ? JSON.parse(readFileSync(values.script, 'utf8')) : []), ...paceRule()],
  seed: Number(values.seed),
  answer: answerFrom(values.replies, values.answer),
})
console.log(JSON.stringify({ port: provider.port, url: provider.url }))

const stop = (): void => {
  void provider.close().then(() => process.exit(0))
}
process.once('SIGTERM', stop)
process.once('SIGINT', stop)
