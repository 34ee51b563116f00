import { BlockList, isIP } from 'node:net'
import { BadSetting } from '../bad-setting.ts'

type Env = Record<string, string | undefined>

/** An HTTP proxy as a variable names it. `shown` is its address without credentials; `authorization` is the header that carries them. */
export type HttpProxy = { variable: string; secure: boolean; hostname: string; port: number; shown: string; authorization: string | null }

/** Asks for a proxy even for this machine, as browsers write it. */
const withLoopback = '<-loopback>'

/**
 * The proxy for a URL as `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY` say, in small letters first; null for the direct way. This machine is
 * reached directly unless `NO_PROXY` holds `<-loopback>`. WebSocket URLs follow the variables of HTTP. Throws a sentence for a proxy of another protocol.
 */
export function proxyFor(url: URL | string, env: Env = process.env): HttpProxy | null {
  const { protocol, hostname, port } = new URL(url)
  const secure = protocol === 'https:' || protocol === 'wss:'
  const found = firstSet(env, secure ? 'HTTPS_PROXY' : 'HTTP_PROXY') ?? firstSet(env, 'ALL_PROXY')
  if (found === null || isDirect(hostname, Number(port) || (secure ? 443 : 80), firstSet(env, 'NO_PROXY')?.text ?? '')) return null
  return readProxy(found)
}

/** Where a request to this URL goes besides its address, for failures: ` through the proxy http://proxy:3128`, or nothing. */
export function throughProxy(url: URL | string, env: Env = process.env): string {
  if (!URL.canParse(url)) return ''
  const proxy = proxyFor(url, env)
  return proxy === null ? '' : ` through the proxy ${proxy.shown} of ${proxy.variable}`
}

type Variable = { variable: string; text: string }

function firstSet(env: Env, name: string): Variable | null {
  for (const variable of [name.toLowerCase(), name]) {
    const text = env[variable]?.trim()
    if (text) return { variable, text }
  }
  return null
}

function readProxy({ variable, text }: Variable): HttpProxy {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`)
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '')
    throw new BadSetting(`${variable} names no HTTP proxy; write http://host:port, or take the variable out of the environment.`)
  const secure = url.protocol === 'https:'
  const credentials = url.username === '' ? null : `${decoded(url.username)}:${decoded(url.password)}`
  return {
    variable,
    secure,
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (secure ? 443 : 80),
    shown: `${url.protocol}//${url.host}`,
    authorization: credentials === null ? null : `Basic ${Buffer.from(credentials).toString('base64')}`,
  }
}

/** A password may hold a percent sign that encodes nothing. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function isDirect(hostname: string, port: number, noProxy: string): boolean {
  const host = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()
  const entries = noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
  if (isLoopback(host) && !entries.includes(withLoopback)) return true
  return entries.some((entry) => isNamed(entry, host, port))
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

/** Whether an entry of `NO_PROXY` names a host: `*`, a name with all below it, an address, a range (`10.0.0.0/8`), each with a port or without. */
function isNamed(entry: string, host: string, port: number): boolean {
  if (entry === '*') return true
  const [, bracketed, plain, ofPort] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? [null, null, entry, undefined]
  const name = bracketed ?? plain ?? ''
  if (ofPort !== undefined && Number(ofPort) !== port) return false
  if (name.includes('/')) return isWithin(name, host)
  const suffix = name.replace(/^\*?\./, '')
  return suffix !== '' && (host === suffix || (isIP(host) === 0 && host.endsWith(`.${suffix}`)))
}

function isWithin(range: string, host: string): boolean {
  const [network = '', bits = ''] = range.split('/')
  const [ofNetwork, ofHost] = [isIP(network), isIP(host)]
  if (ofHost === 0 || ofNetwork !== ofHost || !/^\d{1,3}$/.test(bits) || Number(bits) > (ofHost === 4 ? 32 : 128)) return false
  const list = new BlockList()
  const family = ofHost === 4 ? 'ipv4' : 'ipv6'
  list.addSubnet(network, Number(bits), family)
  return list.check(host, family)
}
