import { appendFileSync } from 'node:fs'
import { ServerResponse } from 'node:http'

/** What a piece of a stream says: how many tokens (content, reasoning, pieces of calls) and comments it holds, and whether it completes a line. */
export type SentPiece = { at_ms: number; bytes: number; tokens: number; comments: number; line: boolean }

/**
 * What the simulated provider did with one request, on the machine's monotonic clock (milliseconds, the same for all of its processes): when it had read the
 * request, when it handed the head and each piece of the body to the system, and how it ended. It does not know what the network made of it.
 */
export type Truth = {
  id: number
  prompt_sha256: string
  fault: string | null
  received_ms: number
  head_ms: number | null
  status: number | null
  sent: SentPiece[]
  ended_ms: number
  end: 'ended' | 'broken-off' | 'left'
}

/** Milliseconds of the machine's monotonic clock. */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6

type Written = { at_ms: number; chunk: Uint8Array | string }
type Marks = { head_ms: number | null; written: Written[]; end: Truth['end'] | null }

/** A response that notes when each piece of it was handed to the system, as Node's own server makes them. */
export class WatchedResponse extends ServerResponse {
  readonly marks: Marks = { head_ms: null, written: [], end: null }

  // Node has several forms of these; all arguments are handed on as they came, and a piece is the first of them in every form.
  override writeHead(...args: [never]): this {
    this.marks.head_ms ??= monotonicMs()
    return super.writeHead(...args)
  }
  override write(...args: [never]): boolean {
    this.#note(args[0])
    return super.write(...args)
  }
  override end(...args: [never?]): this {
    this.#note(args[0])
    this.marks.end ??= 'ended'
    return super.end(...(args as [never]))
  }
  override destroy(error?: Error): this {
    this.marks.end ??= 'broken-off'
    return super.destroy(error)
  }
  #note(chunk: unknown): void {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) this.marks.written.push({ at_ms: monotonicMs(), chunk })
  }
}

/** The log of truth, in memory and, with a file name, as JSON lines. */
export function openTruths(file: string | null): { readonly all: readonly Truth[]; watch(res: ServerResponse, of: Begun): void } {
  const all: Truth[] = []
  return {
    all,
    watch(res, begun) {
      if (!(res instanceof WatchedResponse)) return
      res.on('close', () => {
        const truth = truthOf(begun, res)
        all.push(truth)
        if (file !== null) appendFileSync(file, `${JSON.stringify(truth)}\n`)
      })
    },
  }
}

/** What is known of a request when it has been read; the fault is set later. */
type Begun = { id: number; prompt_sha256: string; fault: string | null; received_ms: number }

function truthOf({ id, prompt_sha256, fault, received_ms }: Begun, { marks, statusCode, headersSent }: WatchedResponse): Truth {
  const { head_ms, written, end } = marks
  return {
    ...{ id, prompt_sha256, fault, received_ms, head_ms, status: headersSent ? statusCode : null },
    sent: written.map(readPiece),
    ended_ms: monotonicMs(),
    end: end ?? 'left',
  }
}

function readPiece({ at_ms, chunk }: Written): SentPiece {
  const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8')
  const lines = text.split('\n')
  return {
    ...{ at_ms, bytes: Buffer.byteLength(chunk) },
    tokens: lines.filter((line) => /"(?:content|reasoning_content|reasoning)":"[^"]|"tool_calls":\[/.test(line)).length,
    comments: lines.filter((line) => line.startsWith(':')).length,
    line: text.includes('\n'),
  }
}

/** Until the first token, from when the request had been read; null where none was sent. */
export function trueTtftMs({ received_ms, sent }: Truth): number | null {
  const first = sent.find(({ tokens }) => tokens > 0)
  return first ? first.at_ms - received_ms : null
}

/** The longest silence between lines of any kind, the request counting as the first. */
export function trueGapMs({ received_ms, sent }: Truth): number {
  return longest([received_ms, ...sent.filter(({ line }) => line).map(({ at_ms }) => at_ms)])
}

/** The longest silence between two pieces with tokens. */
export const trueTokenGapMs = ({ sent }: Truth): number => longest(sent.filter(({ tokens }) => tokens > 0).map(({ at_ms }) => at_ms))

function longest(moments: readonly number[]): number {
  return moments.slice(1).reduce((most, at, index) => Math.max(most, at - moments[index]!), 0)
}
