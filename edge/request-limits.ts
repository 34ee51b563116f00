import type { Context, MiddlewareHandler } from 'hono'
import { holdsKey } from '#shared/secrets/redactor.ts'
import type { AppEnv } from './app-env.ts'
import { Problem } from './problem.ts'
import { keyProblem, refuseKeys } from './refuse-keys.ts'

const maxBodyBytes = 1_048_576
const maxJsonDepth = 64

/** Largest body of a route, where it is not 1 MiB: uploads measure themselves. */
const ownLimit = /^\/api\/(exports\/|tasks\/?$|import\/|runs\/[^/]+\/artifacts\/)/

/** Bodies made of what models said, which may well look like a key. */
const wordsOfModels = /^\/api\/runs\/[^/]+\/rescores\/?$/
/** The one place for keys of providers, which seals them. */
const placeOfKeys = /^\/api\/provider-keys\/?$/

/** More than this, which is what Cloudflare lets through, is not even read in order to be refused. */
const mostDiscardedBytes = 100_000_000

/** Reads a refused body to its end: a client that is cut off while it sends never sees the answer. */
export async function discardBody(c: Context): Promise<void> {
  const { body, bodyUsed } = c.req.raw
  if (!body || bodyUsed || body.locked || Number(c.req.header('content-length') ?? 0) > mostDiscardedBytes) return
  let bytes = 0
  for await (const chunk of body) {
    bytes += (chunk as Uint8Array).length
    if (bytes > mostDiscardedBytes) return
  }
}

/** Lets a body of at most 1 MiB through, by its told length or, where none is told, by reading it. */
const oneMebibyte: MiddlewareHandler<AppEnv> = async (c, next) => {
  const { body, method } = c.req.raw
  if (!body) {
    if (method !== 'GET' && method !== 'HEAD' && method !== 'DELETE' && method !== 'OPTIONS') c.req.raw = asEmptyObject(c.req.raw)
    return next()
  }
  const told = c.req.header('transfer-encoding') === undefined ? c.req.header('content-length') : undefined
  if (told !== undefined && Number(told) > 0 && Number(told) <= maxBodyBytes) return next()
  const whole = told === undefined || Number(told) === 0 ? await readBounded(body) : undefined
  if (!whole) {
    await discardBody(c)
    throw new Problem('body-too-large', 'A body may have 1 MiB.')
  }
  c.req.raw = whole.length === 0 ? asEmptyObject(c.req.raw) : new Request(c.req.raw, { body: whole })
  return next()
}

/** Reads an empty body of any type as `{}`: aiohttp sends one as application/octet-stream, a form library as its own type. */
function asEmptyObject(request: Request): Request {
  const headers = new Headers(request.headers)
  headers.delete('content-length')
  headers.set('content-type', 'application/json')
  return new Request(request, { headers, body: '{}' })
}

/** The bytes of a stream, or nothing when there are more than 1 MiB; what is too much is read and dropped. */
async function readBounded(body: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const kept = new Uint8Array(maxBodyBytes)
  let bytes = 0
  for await (const chunk of body) {
    if (bytes + chunk.length <= maxBodyBytes) kept.set(chunk, bytes)
    bytes += chunk.length
    if (bytes > mostDiscardedBytes) break
  }
  return bytes <= maxBodyBytes ? kept.subarray(0, bytes) : undefined
}

/**
 * Refuses what no route could use: bodies over 1 MiB, JSON nested deeper than 64, NUL characters, which the database cannot store, and keys
 * where none belongs.
 */
export const limitRequests: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (/%00/.test(c.req.path)) throw new Problem('not-found')
  if (/%00/.test(new URL(c.req.url).search)) throw nulProblem('/query')
  if (holdsKey(c.req.header('idempotency-key') ?? '')) throw keyProblem('/header/idempotency-key')
  if (ownLimit.test(c.req.path)) {
    await next()
    return discardBody(c).catch(() => undefined) // the sender is gone, or whoever read it stopped half way
  }
  await oneMebibyte(c, async () => {
    if (/^application\/([\w.-]+\+)?json/i.test(c.req.header('content-type') ?? ''))
      checkJson(await c.req.text(), !wordsOfModels.test(c.req.path) && !placeOfKeys.test(c.req.path))
    await next()
  })
}

const nulProblem = (pointer: string) =>
  new Problem('validation', 'A text may not hold the NUL character.', { errors: [{ pointer, message: 'holds the NUL character' }] })

function checkJson(text: string, mayHoldNoKey: boolean): void {
  if (depthOf(text) > maxJsonDepth) throw new Problem('bad-json', `JSON may be nested ${maxJsonDepth} deep.`)
  if (/(^|[^\\])(\\\\)*\\u0000/.test(text)) throw nulProblem('')
  if (mayHoldNoKey) refuseKeys(text)
}

/** Deepest nesting of brackets outside strings. */
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  let quoted = false
  for (let index = 0; index < text.length; index++) {
    const char = text[index]
    if (quoted) {
      if (char === '\\') index++
      else if (char === '"') quoted = false
    } else if (char === '"') quoted = true
    else if (char === '{' || char === '[') deepest = Math.max(deepest, ++depth)
    else if (char === '}' || char === ']') depth--
  }
  return deepest
}
