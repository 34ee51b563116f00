/** How much a line matters: `error` is for somebody to act on, `warn` goes away by itself. */
export type LogLevel = 'info' | 'warn' | 'error'

/** What a line is about, in fields that can be searched for. `error` is whatever was thrown. */
export type LogFields = {
  run_id?: string | undefined
  /** `ordinal:attempt` within the run. */
  trial?: string | undefined
  request_id?: string | undefined
  error?: unknown
  [field: string]: unknown
}

export type Log = (level: LogLevel, message: string, fields?: LogFields) => void

/** Lines for programs, one JSON object each, or for people at a terminal. */
export type LogForm = 'json' | 'plain'

export type LogOptions = {
  form: LogForm
  now(): Date
  /** Cleans every text of a line before it becomes part of it, so that no escape hides a key. */
  redact(text: string): string
  write(line: string, level: LogLevel): void
}

/** A log that writes each line whole: `{"time":…,"level":…,"message":…,…}`, or the time and the sentence. Whatever it is given, it does not throw. */
export function createLog({ form, now, redact, write }: LogOptions): Log {
  return (level, message, fields = {}) => {
    const time = now().toISOString()
    const { time: _t, level: _l, message: _m, ...given } = fields
    const said = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, plainValue(value, redact)] as const]))
    if (form === 'json') return write(JSON.stringify({ time, level, message: redact(message), ...Object.fromEntries(said) }), level)
    const error = said.find(([name]) => name === 'error')
    write(`${time} ${oneLine(redact(message))}${error ? `: ${oneLine(String(error[1]))}` : ''}`, level)
  }
}

/** Numbers and truths as they are, all else as a clean text. */
function plainValue(value: unknown, redact: (text: string) => string): string | number | boolean | null {
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  return redact(textOf(value))
}

function textOf(value: unknown): string {
  try {
    return value instanceof Error
      ? (value.stack ?? `${value.name}: ${value.message}`)
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value)
  } catch {
    return 'something that cannot be told'
  }
}

/** Control characters would let a foreign word begin a line of its own, or colour a terminal. */
const oneLine = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f]+\s*/g, ' ')
