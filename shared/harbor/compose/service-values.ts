import type { ServiceHealth } from '../../solvers/machine-services.ts'
import { splitWords } from './fill-in.ts'

/** What a reader gives: the value, or in words why it is none. */
export type Read<T> = { ok: true; value: T } | { ok: false; text: string }

export const wrong = (text: string): { ok: false; text: string } => ({ ok: false, text })
const right = <T>(value: T): Read<T> => ({ ok: true, value })

export const isTable = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isScalar = (value: unknown): value is string | number | boolean => ['string', 'number', 'boolean'].includes(typeof value)

/** A command: a list of words, or a text that is split as a shell does. Null: the image's own. */
export function readCommand(value: unknown): Read<string[] | null> {
  if (value === null || value === undefined) return right(null)
  if (Array.isArray(value) && value.every(isScalar)) return right(value.map(String))
  const words = typeof value === 'string' ? splitWords(value) : null
  return words ? right(words) : wrong('it is neither a list of words nor a text that can be split into them')
}

/** A table of texts, or a list of `NAME=value`. A name without a value is one of whoever runs the task, from `variables`, and left out where nobody set it. */
export function readPairs(value: unknown, variables: ReadonlyMap<string, string>): Read<Record<string, string>> {
  const told = Array.isArray(value)
    ? value.map((line) => splitAt(String(line), '='))
    : isTable(value)
      ? Object.entries(value).map(([name, text]): [string, unknown] => [name, text])
      : value === null || value === undefined
        ? []
        : null
  if (told === null || !told.every(([name, text]) => name !== '' && (text === null || isScalar(text))))
    return wrong('it is neither a table of texts nor a list of NAME=value')
  const filled = told.map(([name, text]) => [name, text === null ? variables.get(name) : String(text)] as const)
  return right(Object.fromEntries(filled.filter((pair): pair is readonly [string, string] => pair[1] !== undefined)))
}

const splitAt = (text: string, sign: string): [string, string | null] => {
  const at = text.indexOf(sign)
  return at < 0 ? [text, null] : [text.slice(0, at), text.slice(at + 1)]
}

export function readCpus(value: unknown): Read<number> {
  const cpus = isScalar(value) ? Number(value) : Number.NaN
  return cpus >= 0.01 && cpus <= 1024 ? right(cpus) : wrong(`${JSON.stringify(value)} is no number of CPUs`)
}

const units: Readonly<Record<string, number>> = { '': 1, b: 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30, t: 2 ** 40 }

/** A size such as `512m` in whole MiB. */
export function readMegabytes(value: unknown): Read<number> {
  const [, amount = '', unit = ''] = /^(\d+(?:\.\d+)?)\s*([bkmgt]?)(?:i?b)?$/i.exec(String(value)) ?? []
  const bytes = Number(amount) * (units[unit.toLowerCase()] ?? Number.NaN)
  return amount !== '' && bytes > 0 ? right(Math.ceil(bytes / 2 ** 20)) : wrong(`${JSON.stringify(value)} is no size such as 512m`)
}

const parts_ms: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** A time such as `1m30s` in milliseconds. */
function readTime(value: unknown): number | null {
  const text = String(value)
  if (!/^(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+$/.test(text)) return null
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g)]
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * parts_ms[unit!]!, 0)
}

const times = {
  interval: 'interval_ms',
  timeout: 'timeout_ms',
  start_period: 'start_period_ms',
  start_interval: 'start_interval_ms',
} as const

/** A health check; one that is disabled has the test `NONE`. */
export function readHealth(value: unknown): Read<ServiceHealth> {
  const health = {
    test: [] as string[],
    interval_ms: null,
    timeout_ms: null,
    start_period_ms: null,
    start_interval_ms: null,
    retries: null,
  }
  if (!isTable(value)) return wrong('it is no table')
  const read: Record<string, unknown> = { ...health }
  for (const [key, one] of Object.entries(value)) {
    const time = Object.hasOwn(times, key) ? readTime(one) : null
    if (key === 'test') read.test = readTest(one)
    else if (key === 'retries') read.retries = Number.isInteger(Number(one)) && Number(one) > 0 ? Number(one) : Number.NaN
    else if (key === 'disable') read.test = one === true ? ['NONE'] : read.test
    else if (time !== null) read[times[key as keyof typeof times]] = time
    else return wrong(`${key}: ${JSON.stringify(one)} cannot be read`)
  }
  if (read.test === null) return wrong('its test is neither a text nor a list that begins with CMD, CMD-SHELL or NONE')
  return Number.isNaN(read.retries) ? wrong('its retries are no number') : right(read as unknown as ServiceHealth)
}

function readTest(value: unknown): string[] | null {
  if (typeof value === 'string') return ['CMD-SHELL', value]
  if (!Array.isArray(value) || !value.every(isScalar)) return null
  const words = value.map(String)
  const least = { CMD: 2, 'CMD-SHELL': 2, NONE: 1 }[words[0] ?? '']
  return least !== undefined && words.length >= least ? words : null
}

/** How a container is started again when it ends: Docker's word, and how often at most. */
export function readRestart(value: unknown): Read<{ name: string; most: number }> {
  const [, name, most = '0'] = /^(no|always|unless-stopped|on-failure)(?::(\d+))?$/.exec(value === false ? 'no' : String(value)) ?? []
  return name === undefined ? wrong('it is none of no, always, unless-stopped, on-failure') : right({ name, most: Number(most) })
}
