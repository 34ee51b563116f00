import type { ProblemCode } from '#shared/contract/problem.ts'
import { doorHeader, isLoopbackAddress, isLoopbackName } from '../auth/visitor.ts'
import { loopback, nameOf, plainAddress } from './listen.ts'

/** A request as it arrived: the first line's method and target, headers as they were written, and the connection's two ends. */
export type Arrived = {
  method: string
  target: string
  rawHeaders: readonly string[]
  remote_address: string | undefined
  local_address?: string | undefined
}

/**
 * Who is let in: loopback names and the address that the connection came to, with this port, and `hosts` (`name:port`). `secret` tells the Worker that
 * a request came this way.
 */
export type Door = { port: number; hosts: readonly string[]; secret: string }

/** What goes on to the Worker, or why nothing does. */
export type Admission =
  | { path: string; headers: Record<string, string | string[]> }
  | { refused: Extract<ProblemCode, 'bad-request' | 'misdirected' | 'method-not-allowed' | 'not-found'>; detail: string }

export const allowedMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Headers that only a proxy we know may set: Miniflare's and Cloudflare's own, and every way of naming another client or address. */
const internal = /^(mf-|cf-|x-mf-|x-forwarded-|forwarded$|x-real-ip$|x-client-ip$|true-client-ip$|cdn-loop$|x-bench-door$)/
/** Headers of one connection (RFC 9110, 7.6.1). `expect` is answered here. */
const ofConnection = /^(connection|keep-alive|proxy-.*|te|trailer|upgrade|http2-settings|expect)$/
const authority = /^(\[[0-9a-fA-F:.]{2,45}\]|[A-Za-z0-9._~-]{1,255})(:\d{1,5})?$/

/** Decides over one request by its own first line, `Host` and connection; nothing else that a client says about addresses counts. */
export function admitRequest(arrived: Arrived, door: Door): Admission {
  if (!allowedMethods.includes(arrived.method)) return refuse('method-not-allowed', `${arrived.method} is not a method of this service.`)
  const named = listHeaders(arrived.rawHeaders)
  const asked = targetOf(arrived.target)
  if (!asked) return refuse('bad-request', 'The request target must be a path, or an http address of this service.')
  const hosts = named.host ?? []
  if (hosts.length !== 1) return refuse('bad-request', 'Exactly one Host header is needed.')
  const given = asked.host ?? hosts[0]!
  const host = hostOf(given)
  if (!host) return refuse('bad-request', 'The Host header is not a name or address.')
  const here = nameOf(arrived.local_address ?? loopback)
  if (!isOurs(host, here, door)) return refuse('misdirected', misdirected(given, here, door))
  if (asked.path.startsWith('/cdn-cgi/')) return refuse('not-found', 'There is nothing at this address.')
  const coding = named['transfer-encoding']
  if (coding && coding.join().toLowerCase() !== 'chunked') return refuse('bad-request', 'Only the transfer coding chunked is understood.')
  const headers = forwarded(named)
  headers.host = given
  headers[doorHeader] = door.secret
  headers['cf-connecting-ip'] = visitorAddress(arrived.remote_address)
  return { path: asked.path, headers }
}

const refuse = (refused: Extract<Admission, { refused: string }>['refused'], detail: string): Admission => ({ refused, detail })

const misdirected = (given: string, here: string, { port }: Door): string =>
  `${given} is not an address of this service: use http://${here}:${port}, or start it with PUBLIC_URL set to the address you use.`

function listHeaders(raw: readonly string[]): Record<string, string[]> {
  const named: Record<string, string[]> = Object.create(null)
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at]!.toLowerCase()
    named[name] = [...(named[name] ?? []), raw[at + 1]!]
  }
  return named
}

/** The path of origin-form, or path and authority of absolute-form, which overrules `Host` (RFC 9112, 3.2.2). */
function targetOf(target: string): { path: string; host?: string } | undefined {
  if (target.startsWith('/')) return { path: target.split('#', 1)[0]! }
  const absolute = /^http:\/\/([^/?#]+)([^#]*)/i.exec(target)
  if (!absolute) return undefined
  const [, host = '', rest = ''] = absolute
  return { host, path: rest.startsWith('/') ? rest : `/${rest}` }
}

type Host = { name: string; ports: readonly number[] }

/** Name and port; without a port it may be that of either scheme, because a tunnel in front of us may speak the other one. */
function hostOf(text: string): Host | undefined {
  if (!authority.test(text) || !URL.canParse(`http://${text}`)) return undefined
  const { hostname, port } = new URL(`http://${text}`)
  return { name: hostname, ports: port ? [Number(port)] : [80, 443] }
}

/** The address a connection came to needs no list: it is this machine's as long as it leads here, and no name that somebody rebinds. */
function isOurs({ name, ports }: Host, here: string, door: Door): boolean {
  return (
    ((isLoopbackName(name) || name === here) && ports.includes(door.port)) || ports.some((port) => door.hosts.includes(`${name}:${port}`))
  )
}

function forwarded(named: Record<string, string[]>): Record<string, string | string[]> {
  const listed = (named.connection ?? []).flatMap((value) => value.toLowerCase().split(',')).map((name) => name.trim())
  const kept = Object.entries(named).filter(([name]) => !internal.test(name) && !ofConnection.test(name) && !listed.includes(name))
  return Object.assign(
    Object.create(null),
    Object.fromEntries(kept.map(([name, values]) => [name, values.length === 1 ? values[0]! : values])),
  )
}

function visitorAddress(address: string | undefined): string {
  const plain = plainAddress(address)
  return isLoopbackAddress(plain) ? loopback : plain
}
