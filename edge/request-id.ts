import type { Context } from 'hono'

/** The id under which Cloudflare's own logs have a request; undefined off Cloudflare. */
function rayOf(headers: Headers): string | undefined {
  const ray = headers.get('cf-ray') ?? ''
  return /^[0-9a-f]{16}(-[A-Z]{3})?$/.test(ray) ? ray : undefined
}

/** How requests of the API are named that bring no `x-request-id` of up to 64 word characters: by Cloudflare's ray, else by a new id. */
export const requestIds = (newId: () => string) => ({ limitLength: 64, generator: ({ req }: Context) => rayOf(req.raw.headers) ?? newId() })

/** Names a request for a page and what the page asks of the API by one id; the page carries it as every answer does. */
export async function nameRequest(
  request: Request,
  newId: () => string,
  answer: (named: (inner: Request) => Request) => Promise<Response>,
): Promise<Response> {
  const id = rayOf(request.headers) ?? newId()
  const page = await answer((inner) => {
    const headers = new Headers(inner.headers)
    headers.set('x-request-id', id)
    return new Request(inner, { headers })
  })
  const named = new Response(page.body, page)
  named.headers.set('x-request-id', id)
  return named
}
