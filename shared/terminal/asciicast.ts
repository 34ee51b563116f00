import * as z from 'zod'

/** What a terminal showed, was given, or a mark; a new size is written as `80x24`. Times from the beginning of the recording. */
export type CastEvent = { at_ms: number; kind: 'output' | 'input' | 'mark' | 'resize'; text: string }

/** The size of a terminal in characters and when its recording began, in milliseconds since 1970; null where that is not known. */
export type CastHeader = { columns: number; rows: number; started_at_ms: number | null }

const codes = { output: 'o', input: 'i', mark: 'm', resize: 'r' } as const
const kinds: Readonly<Record<string, CastEvent['kind']>> = { o: 'output', i: 'input', m: 'mark', r: 'resize' }

/** The first line of an asciicast, version 2, with its line end. */
export function castHeaderLine({ columns, rows, started_at_ms }: CastHeader): string {
  const timestamp = started_at_ms === null ? {} : { timestamp: Math.floor(started_at_ms / 1000) }
  return `${JSON.stringify({ version: 2, width: columns, height: rows, ...timestamp, env: { TERM: 'xterm-256color', SHELL: '/bin/bash' } })}\n`
}

/** One event as a line with its line end. Times are written in seconds with six decimals at most. */
export const castEventLine = ({ at_ms, kind, text }: CastEvent): string =>
  `${JSON.stringify([Math.round(at_ms * 1000) / 1e6, codes[kind], text])}\n`

const size = z.int().positive()
/** Version 2 has its size at the top and times since the beginning, version 3 a size of its terminal and times since the event before. */
const Header = z.discriminatedUnion('version', [
  z.object({ version: z.literal(2), width: size, height: size, timestamp: z.number().nullish() }),
  z.object({ version: z.literal(3), term: z.object({ cols: size, rows: size }), timestamp: z.number().nullish() }),
])
const Event = z.tuple([z.number().min(0), z.string().min(1).max(100), z.string()])

/** What is read of a recording at most: events, UTF-16 units of their texts, and of one line. */
export const castLimits = { events: 500_000, text: 32 * 2 ** 20, line: 8 * 2 ** 20 } as const

/** `line`: from 1. `text`: what is wrong with it, for people. */
export type CastProblem = { line: number; text: string }
/** What has been read. `cut`: there is more than the limits let through. Events are only ever added. */
export type ReadCast = { header: CastHeader | null; events: readonly CastEvent[]; cut: boolean; problem: CastProblem | null }

/**
 * Reads an asciicast of version 2 or 3 as it comes. A last line that was cut off, as of a recorder that was killed, is left out; events of kinds that are
 * not known and comments are passed over; what follows a line that cannot be read is not read.
 */
export function openCastReader(limits: { events: number; text: number; line: number } = castLimits) {
  const events: CastEvent[] = []
  let header: CastHeader | null = null
  let version = 2
  let problem: CastProblem | null = null
  let cut = false
  let rest = ''
  let line = 0
  let left = limits.text
  let last_ms = 0

  const readHeader = (text: string): void => {
    const read = Header.safeParse(parsed(text))
    if (!read.success) {
      problem = { line, text: 'This is no asciicast of version 2 or 3.' }
      return
    }
    const { timestamp } = read.data
    const { columns, rows } = read.data.version === 2 ? { columns: read.data.width, rows: read.data.height } : sizeOf(read.data.term)
    version = read.data.version
    header = { columns, rows, started_at_ms: timestamp == null ? null : timestamp * 1000 }
  }
  const readEvent = (text: string): void => {
    const read = Event.safeParse(parsed(text))
    if (!read.success) {
      problem = { line, text: 'This line is no event of a recording.' }
      return
    }
    const [seconds, code, words] = read.data
    last_ms = version === 3 ? last_ms + seconds * 1000 : Math.max(last_ms, seconds * 1000)
    const kind = kinds[code]
    if (!kind) return
    if (events.length >= limits.events || words.length > left) {
      cut = true
      return
    }
    left -= words.length
    events.push({ at_ms: last_ms, kind, text: words })
  }
  const readLine = (text: string): void => {
    line++
    if (text.trim() === '' || text.startsWith('#')) return
    if (header) readEvent(text)
    else readHeader(text)
  }
  return {
    /** More of the recording's text. */
    take(text: string): void {
      if (problem || cut) return
      const lines = (rest + text).split('\n')
      rest = lines.pop()!
      for (const each of lines) if (!problem && !cut) readLine(each)
      if (rest.length > limits.line && !problem && !cut)
        problem = { line: line + 1, text: `This line is longer than ${limits.line} characters.` }
    },
    /** There is no more: what is left is a last line, whole or cut off. */
    end(): void {
      if (problem || cut) return
      const known = header !== null
      readLine(rest)
      // Of a recorder that was killed the last line may be half of one.
      if (known) problem = null
      else if (!header) problem = { line: 1, text: 'This is no asciicast of version 2 or 3.' }
      rest = ''
    },
    read: (): ReadCast => ({ header, events, cut, problem }),
  }
}

const sizeOf = ({ cols, rows }: { cols: number; rows: number }) => ({ columns: cols, rows })

/** Reads a whole recording. */
export function readAsciicast(text: string): ReadCast {
  const reader = openCastReader()
  reader.take(text)
  reader.end()
  return reader.read()
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
