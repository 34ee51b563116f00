import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { HttpProxy } from './proxy-env.ts'

/** A proxy that cannot be reached or does not open the way; `status` is its HTTP status, null without an answer. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError'
  readonly status: number | null
  /** Set where the proxy did not answer in time: it is told as a time limit of connecting. */
  readonly code: string | undefined
  constructor(message: string, status: number | null, more: { cause?: unknown; code?: string } = {}) {
    super(message, { cause: more.cause })
    this.status = status
    this.code = more.code
  }
}

type Target = { hostname: string; port: number }
const mostHeadBytes = 16_384

/** Opens a connection to a target through a proxy (`CONNECT`). Rejects with `ProxyError`. */
export function openTunnel(proxy: HttpProxy, target: Target, timeoutMs: number): Promise<Socket> {
  const place = `${isIP(target.hostname) === 6 ? `[${target.hostname}]` : target.hostname}:${target.port}`
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const socket = toProxy(proxy)
  const fail = (error: ProxyError): void => {
    clearTimeout(late)
    socket.destroy()
    reject(error)
  }
  const late = setTimeout(() => {
    const message = `the proxy ${proxy.shown} did not connect to ${place} within ${timeoutMs} ms`
    fail(new ProxyError(message, null, { code: 'ETIMEDOUT' }))
  }, timeoutMs)
  const onError = (cause: NodeJS.ErrnoException): void => fail(unreachableProxy(proxy, cause))
  const onClose = (): void => fail(new ProxyError(`the proxy ${proxy.shown} hung up before it connected to ${place}`, null))
  let head = Buffer.alloc(0)
  const onData = (chunk: Buffer): void => {
    head = Buffer.concat([head, chunk])
    const end = head.indexOf('\r\n\r\n')
    if (end < 0 && head.length <= mostHeadBytes) return
    const status = Number(/^HTTP\/1\.\d (\d{3})/.exec(head.toString('latin1', 0, 32))?.[1] ?? 0)
    if (end < 0 || status === 0) return fail(new ProxyError(`the proxy ${proxy.shown} does not answer as an HTTP proxy`, null))
    if (status < 200 || status > 299) return fail(refusedBy(proxy, place, status))
    clearTimeout(late)
    socket.off('data', onData).off('error', onError).off('close', onClose).pause()
    if (head.length > end + 4) socket.unshift(head.subarray(end + 4))
    resolve(socket)
  }
  socket.on('data', onData).on('error', onError).on('close', onClose)
  socket.once(proxy.secure ? 'secureConnect' : 'connect', () => {
    const credentials = proxy.authorization === null ? '' : `Proxy-Authorization: ${proxy.authorization}\r\n`
    socket.write(`CONNECT ${place} HTTP/1.1\r\nHost: ${place}\r\n${credentials}\r\n`)
  })
  return promise
}

function toProxy({ secure, hostname, port }: HttpProxy): Socket {
  if (!secure) return connectTcp({ host: hostname, port })
  return connectTls({ host: hostname, port, ...(isIP(hostname) === 0 && { servername: hostname }), ALPNProtocols: ['http/1.1'] })
}

/** The failure of a connection to the proxy itself. */
export const unreachableProxy = ({ shown, variable }: HttpProxy, cause: NodeJS.ErrnoException): ProxyError =>
  new ProxyError(`the proxy ${shown} of ${variable} cannot be reached (${cause.code ?? cause.message})`, null, { cause })

/** The failure of a proxy that answered with this status itself. */
export function refusedBy({ shown, variable, authorization }: HttpProxy, place: string, status: number): ProxyError {
  const advice = authorization === null ? `write them into ${variable} as http://user:password@host:port` : `those in ${variable} are wrong`
  const why = status === 407 ? `asks for credentials (HTTP 407): ${advice}` : `does not connect to ${place} (HTTP ${status})`
  return new ProxyError(`the proxy ${shown} ${why}`, status)
}

type Opened = (error: Error | null, socket?: Socket) => void

/** An agent of `node:http` or `node:https` whose connections go through a proxy, each opened in `timeoutMs` at most. */
export function tunnelAgent(proxy: HttpProxy, secure: boolean, timeoutMs: number): HttpAgent {
  const agent = secure ? new HttpsAgent() : new HttpAgent()
  const open = (options: { host?: string | null; port?: number | string | null; servername?: string }, opened: Opened): void => {
    const hostname = (options.host ?? 'localhost').replace(/^\[|\]$/g, '')
    openTunnel(proxy, { hostname, port: Number(options.port) || (secure ? 443 : 80) }, timeoutMs).then((socket) => {
      if (!secure) {
        opened(null, socket)
        socket.resume() // it flows again once the request listens
        return
      }
      const servername = options.servername || (isIP(hostname) === 0 ? hostname : undefined)
      const within = connectTls({ socket, ...(servername !== undefined && { servername }), ALPNProtocols: ['http/1.1'] })
      const failed = (error: Error): void => opened(error)
      within.once('error', failed).once('secureConnect', () => {
        within.off('error', failed)
        opened(null, within)
      })
    }, opened)
  }
  return Object.assign(agent, { createConnection: open })
}
