import { withV1 } from '#shared/providers/base-url.ts'
import type { HttpProxy } from '../proxy/proxy-env.ts'

/** What failures say of the address that was asked: where, and what is likely meant where it does not exist. Neither holds a query, which may be a key. */
export type AskedAt = { where: string; instead: string | null; proxied: boolean }

const endpoint = '/chat/completions'

/** Describes the address `url` of a chat endpoint and the proxy on the way to it. */
export function askedAt(url: string, proxy: HttpProxy | null): AskedAt {
  const base = url.slice(0, -endpoint.length)
  const doubled = base.endsWith(endpoint) ? base.slice(0, -endpoint.length) : null
  const meant = doubled ?? withV1(base)
  return {
    where: `asked at ${url}${proxy === null ? '' : ` through the proxy ${proxy.shown} of ${proxy.variable}`}`,
    proxied: proxy !== null,
    instead: meant === null ? null : `the base URL may have to be ${meant}`,
  }
}
