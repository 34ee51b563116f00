/** The page renderer, compiled under web/tsconfig.json; the edge knows only this signature of it. */
declare module '#web/entry-server.tsx' {
  export function renderPage(request: Request, api: (request: Request) => Promise<Response>): Promise<Response>
}
