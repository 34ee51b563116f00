import { createProxiedFetch } from './proxied-fetch.ts'
import { proxyFor } from './proxy-env.ts'

type Env = Record<string, string | undefined>

/** Schemes by which every variable of a proxy is read. */
const anywhere = ['http://proxied.invalid', 'https://proxied.invalid']

/**
 * Makes every `fetch` of this process go through the proxies of its environment, once, at its start. Gives the sentence about a variable that names no
 * proxy, null where all is well.
 */
export function useProxies(env: Env): string | null {
  try {
    if (anywhere.every((url) => proxyFor(url, env) === null)) return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  globalThis.fetch = createProxiedFetch(globalThis.fetch, env)
  return null
}
