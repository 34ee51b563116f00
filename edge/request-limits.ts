import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { AppEnv } from './app-env.ts'
import { Problem } from './problem.ts'

const maxBodyBytes = 1_048_576
const maxJsonDepth = 64

/** Largest body of a route, where it is not 1 MiB: uploads measure themselves. */
const ownLimit = /^\/api\/exports\//

/** More than this is not even read in order to be refused. */
const mostDiscardedBytes = 64 * 1_048_576

/** Reads a refused body to its end: a client that is cut off while it sends never sees the answer. */
export async function discardBody(c: Context): Promise<void> {
  const { body } = c.req.raw
  if (!body || body.locked || Number(c.req.header('content-length') ?? 0) > mostDiscardedBytes) return
  let bytes = 0
  for await (const chunk of body) {
    bytes += (chunk as Uint8Array).length
    if (bytes > mostDiscardedBytes) return
  }
}

const oneMebibyte = bodyLimit({
  maxSize: maxBodyBytes,
  onError: async (c) => {
    await discardBody(c)
    throw new Problem('body-too-large', 'A body may have 1 MiB.')
  },
})

/** Refuses what no route could use: bodies over 1 MiB, JSON nested deeper than 64, and NUL characters, which the database cannot store. */
export const limitRequests: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (/%00/.test(c.req.path)) throw new Problem('not-found')
  if (/%00/.test(new URL(c.req.url).search)) throw nulProblem('/query')
  if (ownLimit.test(c.req.path)) return next()
  await oneMebibyte(c, async () => {
    if (/^application\/json/i.test(c.req.header('content-type') ?? '')) checkJson(await c.req.text())
    await next()
  })
}

const nulProblem = (pointer: string) =>
  new Problem('validation', 'A text may not hold the NUL character.', { errors: [{ pointer, message: 'holds the NUL character' }] })

function checkJson(text: string): void {
  if (depthOf(text) > maxJsonDepth) throw new Problem('bad-json', `JSON may be nested ${maxJsonDepth} deep.`)
  if (/(^|[^\\])(\\\\)*\\u0000/.test(text)) throw nulProblem('')
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
