import { renderPage } from '#web/entry-server.tsx'

/** Provisional composition root of the page worktree: pages only, the API comes from FIXTURE_API (web/dev/fixture-api.ts). */
export default {
  async fetch(request: Request, env: { FIXTURE_API?: string }): Promise<Response> {
    const api = async (inner: Request): Promise<Response> => {
      const url = new URL(inner.url)
      if (!env.FIXTURE_API) return new Response(null, { status: 404 })
      return fetch(new Request(`${env.FIXTURE_API}${url.pathname}${url.search}`, inner))
    }
    return new URL(request.url).pathname.startsWith('/api/') ? api(request) : renderPage(request, api)
  },
}
