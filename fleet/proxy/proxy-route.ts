import { Agent, buildConnector, type Dispatcher } from 'undici'
import { type HttpProxy, proxyFor } from './proxy-env.ts'
import { openTunnel, unreachableProxy } from './tunnel.ts'

/**
 * How requests to an address travel: which origin a pool connects to and how, what is set before a path, which headers come with each request.
 * Through a proxy a plain request names its whole address, and one over TLS goes through a tunnel.
 */
export type Route = {
  proxy: HttpProxy | null
  origin: string
  prefix: string
  headers: readonly string[]
  connect: buildConnector.connector
}

export function routeTo(url: URL, timeoutMs: number, proxy: HttpProxy | null = proxyFor(url)): Route {
  const direct = buildConnector({ timeout: timeoutMs, allowH2: false })
  if (proxy === null) return { proxy, origin: url.origin, prefix: '', headers: [], connect: direct }
  if (url.protocol === 'https:')
    return { proxy, origin: url.origin, prefix: '', headers: [], connect: tunnelConnector(proxy, direct, timeoutMs) }
  const headers = ['host', url.host, ...(proxy.authorization === null ? [] : ['proxy-authorization', proxy.authorization])]
  const connect: buildConnector.connector = (options, callback) =>
    direct(options, (...opened) => (opened[0] === null ? callback(...opened) : callback(unreachableProxy(proxy, opened[0]), null)))
  return { proxy, origin: `${proxy.shown}`, prefix: url.origin, headers, connect }
}

function tunnelConnector(proxy: HttpProxy, direct: buildConnector.connector, timeoutMs: number): buildConnector.connector {
  return (options, callback) => {
    const { hostname, port, protocol } = options
    const target = { hostname: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (protocol === 'https:' ? 443 : 80) }
    openTunnel(proxy, target, timeoutMs).then(
      (httpSocket) => direct({ ...options, httpSocket }, callback),
      (error: Error) => callback(error, null),
    )
  }
}

/** An agent of undici for requests to one origin, by its route. */
export function agentFor(url: URL, options: Agent.Options, timeoutMs: number): Agent {
  const { origin, prefix, headers, connect } = routeTo(url, timeoutMs)
  const agent = new Agent({ ...options, connect })
  if (prefix === '') return agent
  const dispatch = agent.dispatch.bind(agent)
  agent.dispatch = (asked: Dispatcher.DispatchOptions, handler) =>
    dispatch({ ...asked, origin, path: prefix + asked.path, headers: [...listed(asked.headers), ...headers] }, handler)
  return agent
}

function listed(headers: Dispatcher.DispatchOptions['headers']): string[] {
  if (headers == null) return []
  const pairs = Array.isArray(headers) ? headers : Symbol.iterator in headers ? [...headers].flat() : Object.entries(headers).flat()
  return pairs.flatMap((one) => (Array.isArray(one) ? one : one === undefined ? [] : [one])).map(String)
}
