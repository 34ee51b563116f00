// @refresh reload
import { createHandler, StartServer } from '@solidjs/start/server'

const handler = createHandler(
  () => (
    <StartServer
      document={(props) => (
        <html lang="en">
          <head>
            <meta charset="utf-8" />
            <meta name="viewport" content="width=device-width, initial-scale=1" />
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
  { mode: 'async' },
)
export default handler

export async function renderPage(request: Request, _api: (request: Request) => Promise<Response>): Promise<Response> {
  return handler.fetch(request)
}
