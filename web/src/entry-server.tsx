// @refresh reload
import { AsyncLocalStorage } from 'node:async_hooks'
import sans from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url'
import mono from '@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2?url'
import { createHandler, StartServer } from '@solidjs/start/server'
import { contentPolicy } from './content-policy.ts'
import { holdEarlyEvents } from './early-events.ts'
import { isReadable } from './readable-path.ts'
import { provideServerApi, type ServerApi } from './server-api.ts'
import { themeOf } from './ui/theme.ts'

const apis = new AsyncLocalStorage<ServerApi>()
provideServerApi(apis)

const handler = createHandler(
  (event) => (
    <StartServer
      document={(props) => (
        <html lang="en" data-theme={themeOf(event.request.headers.get('cookie'))}>
          <head>
            <meta charset="utf-8" />
            <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
            <meta name="color-scheme" content="light dark" />
            <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
            {/* Here with the styles, so that no text moves when its font comes. */}
            <link rel="preload" href={sans} as="font" type="font/woff2" crossorigin="anonymous" />
            <link rel="preload" href={mono} as="font" type="font/woff2" crossorigin="anonymous" />
            <script nonce={event.nonce}>{holdEarlyEvents}</script>
            {props.assets}
          </head>
          <body>
            <div id="app">{props.children}</div>
            {props.scripts}
          </body>
        </html>
      )}
    />
  ),
  (event) => {
    if (!import.meta.env.PROD) return { mode: 'async' as const }
    const nonce = crypto.randomUUID()
    event.response.headers.set('content-security-policy', contentPolicy(nonce))
    return { mode: 'async' as const, nonce }
  },
)
export default handler

/** Renders the page at the request's address. `api` answers the calls the page makes, bound to this very request. */
export async function renderPage(request: Request, api: ServerApi): Promise<Response> {
  const { pathname } = new URL(request.url)
  if (isReadable(pathname)) return apis.run(api, async () => handler.fetch(request))
  // The router reads no such address, here or in the browser: the page that says so goes without its scripts.
  const nowhere = new Request(new URL('/no-such-address', request.url), { headers: request.headers })
  const page = await apis.run(api, async () => handler.fetch(nowhere))
  return new Response((await page.text()).replace(/<script\b[\s\S]*?<\/script>/gi, ''), page)
}
