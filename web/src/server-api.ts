/** The API as a function: a request in, its answer out, without a network between. */
export type ServerApi = (request: Request) => Promise<Response>

type Holder = { getStore(): ServerApi | undefined }
const slot = Symbol.for('bench.server-api')
const shelf = globalThis as unknown as Record<symbol, Holder | undefined>

/**
 * Registers where `callServerApi` finds the API of the page being rendered. The holder is an AsyncLocalStorage: each
 * page keeps the API bound to its own request, and `node:async_hooks` stays out of the browser's bundle.
 */
export function provideServerApi(holder: Holder): void {
  shelf[slot] = holder
}

export function callServerApi(request: Request): Promise<Response> {
  const api = shelf[slot]?.getStore()
  if (!api) throw new Error('renderPage was not given the API')
  return api(request)
}
