import { createHash, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { StringDecoder } from 'node:string_decoder'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import * as z from 'zod'
import { runBatch, runQuery } from './neon-query.ts'

const Query = z.object({ query: z.string(), params: z.array(z.unknown()).default([]) })
const Body = z.union([z.object({ queries: z.array(Query) }), Query])

export type NeonEndpointOptions = {
  /** Connection string of the database behind; callers must show the same user, password and database. */
  databaseUrl: string
  /** Port on 127.0.0.1; a free one by default. */
  port?: number
  /** Longest time one statement may take; 12 s by default, less than `connect` waits for an answer. */
  statementTimeoutMs?: number
  maxBodyBytes?: number
}
export type NeonEndpoint = { url: string; port: number; stop(): Promise<void> }

/**
 * Neon's HTTP protocol (`POST /sql`) on 127.0.0.1 in front of an ordinary PostgreSQL, so that the Worker talks to both alike.
 * SQL errors are 400 with Neon's fields; a database that is away or starting is 503.
 */
export async function startNeonEndpoint(options: NeonEndpointOptions): Promise<NeonEndpoint> {
  const pool = new pg.Pool({
    connectionString: options.databaseUrl,
    max: 16,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    statement_timeout: options.statementTimeoutMs ?? 12_000,
    application_name: 'neon-endpoint',
  })
  // The server went away under an idle connection; the pool forgets that one and opens another when it is needed.
  pool.on('error', () => undefined)
  const admits = guardOf(options.databaseUrl)
  const server = createServer((request, response) => {
    answer(pool, admits, options.maxBodyBytes ?? 64 * 1024 * 1024, request, response).catch((error) => fail(response, error))
  })
  server.keepAliveTimeout = 75_000
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the endpoint has no port')
  const close = async () => {
    server.close()
    server.closeIdleConnections()
    // A statement in flight may end; a server that hangs must not hold up the stop.
    await Promise.race([pool.end(), pause(5_000, undefined, { ref: false })])
    server.closeAllConnections()
  }
  let closing: Promise<void> | undefined
  const stop = () => {
    closing ??= close()
    return closing
  }
  return { url: `http://127.0.0.1:${address.port}/sql`, port: address.port, stop }
}

/** What PostgreSQL itself says of a wrong user or password. */
const wrongPassword = { message: 'password authentication failed', code: '28P01', severity: 'FATAL' }

type Admits = (connectionString: string | undefined) => boolean

async function answer(
  pool: pg.Pool,
  admits: Admits,
  maxBodyBytes: number,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { headers } = request
  if (request.method !== 'POST' || request.url !== '/sql') return send(response, 404, { message: 'POST /sql' })
  if (!admits(one(headers['neon-connection-string']))) return send(response, 400, wrongPassword)
  const text = await readBody(request, maxBodyBytes)
  if (text === null) return send(response, 413, { message: `a request has at most ${maxBodyBytes} bytes` })
  const body = Body.safeParse(parseJson(text))
  if (!body.success) return send(response, 400, { message: `not a query: ${body.error.message}` })
  const shape = { raw: headers['neon-raw-text-output'] === 'true', array: headers['neon-array-mode'] === 'true' }
  if (!('queries' in body.data)) return send(response, 200, await runQuery(pool, body.data, shape))
  const results = await runBatch(pool, body.data.queries, shape, {
    isolation: one(headers['neon-batch-isolation-level']),
    readOnly: headers['neon-batch-read-only'] === 'true',
    deferrable: headers['neon-batch-deferrable'] === 'true',
  })
  return send(response, 200, { results })
}

/** Compares user, password and database in constant time; the rest of the string (host, options) does not matter here. */
function guardOf(databaseUrl: string): Admits {
  const digest = (url: URL) => createHash('sha256').update(`${url.username}\n${url.password}\n${url.pathname}`).digest()
  const own = digest(new URL(databaseUrl))
  return (shown) => shown !== undefined && URL.canParse(shown) && timingSafeEqual(digest(new URL(shown)), own)
}

const one = (header: string | string[] | undefined): string | undefined => (Array.isArray(header) ? header[0] : header)

/** Its text, decoded as it comes: batches are large, and one put together from buffers would lie in memory twice. */
async function readBody(request: IncomingMessage, maxBytes: number): Promise<string | null> {
  const decoder = new StringDecoder('utf8')
  let text = ''
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) return null
    text += decoder.write(chunk)
  }
  return text + decoder.end()
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const errorFields = [
  ...['code', 'severity', 'detail', 'hint', 'position', 'internalPosition', 'internalQuery', 'where', 'schema', 'table', 'column'],
  ...['dataType', 'constraint', 'file', 'line', 'routine'],
] as const

/** Shutdown, crash, start-up and a full server are the database being away; every other server error is about the query. */
function isAway(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return true
  const code = error.code ?? ''
  return code.startsWith('57P') || code.startsWith('08') || code === '53300'
}

function fail(response: ServerResponse, error: unknown): void {
  const message = error instanceof Error ? error.message : 'unknown error'
  const fields = error as Record<string, unknown> // if it is not away, a DatabaseError, whose optional fields these are
  if (isAway(error)) send(response, 503, { message })
  else send(response, 400, { message, ...Object.fromEntries(errorFields.map((name) => [name, fields[name]])) })
}

function send(response: ServerResponse, status: number, body: unknown): void {
  if (response.headersSent || response.destroyed) return
  const bytes = Buffer.from(JSON.stringify(body))
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length })
  response.end(bytes)
}
