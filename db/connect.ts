import { NeonDbError, type NeonQueryFunction, neon, neonConfig } from '@neondatabase/serverless'
import { DrizzleQueryError } from 'drizzle-orm'
import { drizzle, type NeonHttpDatabase } from 'drizzle-orm/neon-http'
import { storableText } from './storable.ts'
import { DatabaseAway, TooSlow } from './store.ts'

export type Database = NeonHttpDatabase & { $client: NeonQueryFunction<false, false> }
export type ConnectOptions = {
  /** Where to send the queries instead of Neon's own address: the local endpoint. */
  fetchEndpoint?: string
  /** Longest time to wait for an answer. */
  timeoutMs?: number
}

// The driver knows one global endpoint only; this maps it by host and port, so that several databases can be open at once.
const endpoints = new Map<string, string>()
const neonEndpoint = neonConfig.fetchEndpoint

/** Drizzle over Neon's HTTP driver. Nothing is opened: every query, or batch as one transaction, is a request of its own. */
export function connect(databaseUrl: string, options: ConnectOptions = {}): Database {
  const { hostname, port } = new URL(databaseUrl)
  if (options.fetchEndpoint) endpoints.set(`${hostname}:${port}`, options.fetchEndpoint)
  neonConfig.fetchEndpoint = (host, at, jwt) =>
    endpoints.get(`${host}:${at}`) ?? (typeof neonEndpoint === 'function' ? neonEndpoint(host, at, jwt) : neonEndpoint)
  neonConfig.fetchFunction = fetchWhole
  const timeoutMs = options.timeoutMs ?? 15_000
  const client = neon(databaseUrl, { fetchOptions: { timeoutMs } }) // spread into what `fetchWhole` gets
  const query = client.query
  // Every parameter passes here: no text can hold what Postgres refuses.
  client.query = (text, params, queryOptions) =>
    query(
      text,
      params?.map((value) => (typeof value === 'string' ? storableText(value) : value)),
      queryOptions,
    )
  return drizzle(client)
}

/**
 * A request with its whole answer, so that one that breaks off or is no JSON is the driver's connection error too. Its clock stops with the
 * answer: one that went on would keep a Durable Object from sleeping for the rest of its time.
 */
async function fetchWhole(url: string, { timeoutMs, ...init }: RequestInit & { timeoutMs: number }) {
  const patience = new AbortController()
  const clock = setTimeout(() => patience.abort(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs)
  try {
    const response = await fetch(url, { ...init, signal: patience.signal })
    const { ok, status } = response
    const body = await response.text()
    const parsed: unknown = ok || status === 400 ? JSON.parse(body) : undefined
    return { ok, status, text: async () => body, json: async () => parsed }
  } finally {
    clearTimeout(clock)
  }
}

/** SQLSTATE classes that say the server is away, starting or full. */
const away = /^(?:08|57P|53)/

/** What a failed query means to callers: `DatabaseAway`, its kind `TooSlow`, or the error of the statement without the parameters drizzle adds to it. */
export function databaseError(error: unknown): unknown {
  const cause = error instanceof DrizzleQueryError ? error.cause : error
  if (!(cause instanceof NeonDbError)) return error
  // Without a code nothing of the server's came back: no connection, a 5xx, or a torn answer.
  if (cause.code === '57014') return new TooSlow('a statement took longer than it may', { cause })
  const isAway = cause.code === undefined || away.test(cause.code)
  return isAway ? new DatabaseAway('the database does not answer', { cause }) : cause
}
