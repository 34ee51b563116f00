import { isIP } from 'node:net'
import type { NetworkInterfaceInfo } from 'node:os'
import { isLoopbackAddress } from '../auth/visitor.ts'
import { CannotStart } from './data-dir.ts'

export const loopback = '127.0.0.1'
const everywhere = ['0.0.0.0', '::']

/** Reads `HOST`, an IP address in its shortest form; loopback without one. Throws `CannotStart` for names: shells and tools set some unasked. */
export function readHost(text = ''): string {
  if (text === '' || text === 'localhost') return loopback
  if (isIP(text) === 0 || text.includes('%')) {
    throw new CannotStart(
      `HOST=${text} is not an IP address. Use HOST=0.0.0.0 for every address of this machine, or leave it out to serve this machine only; if something else set it: env -u HOST npm start`,
    )
  }
  const plain = plainAddress(text)
  return isIP(plain) === 6 ? new URL(`http://[${plain}]`).hostname.slice(1, -1) : plain
}

/** An IPv4 address that came in over an IPv6 socket is written as itself. */
export function plainAddress(address = ''): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}

/** The address as an `http` address writes it, without the zone of a link. */
export function nameOf(address: string): string {
  const plain = plainAddress(address).replace(/%.*$/, '')
  return isIP(plain) === 6 ? `[${plain}]` : plain
}

/** Whether others than this machine can reach a service that listens on `host`. */
export const isOpen = (host: string): boolean => !isLoopbackAddress(host)

/** Where to listen for `host`: on 127.0.0.1 always, because only there a visitor is the owner, and the parts find each other there. */
export const listensOn = (host: string): string[] => (host === loopback || everywhere.includes(host) ? [host] : [loopback, host])

/** `name:port` by which this machine's own name leads to an open service, as it is and as mDNS tells it. */
export function ownNames(host: string, port: number, hostname: string): string[] {
  if (!isOpen(host)) return []
  const name = hostname.toLowerCase()
  return [name, ...(name.includes('.') ? [] : [`${name}.local`])].map((one) => `${one}:${port}`)
}

type Interfaces = NodeJS.Dict<Pick<NetworkInterfaceInfo, 'address' | 'family' | 'internal'>[]>

/** The addresses at which other machines can reach a service that listens on `host`, IPv4 first. */
export function openAddresses(host: string, interfaces: Interfaces): string[] {
  if (!isOpen(host)) return []
  if (!everywhere.includes(host)) return [host]
  const outward = Object.values(interfaces).flatMap((list) => (list ?? []).filter((one) => !one.internal))
  const addresses = (family: 'IPv4' | 'IPv6') => outward.filter((one) => one.family === family).map((one) => one.address)
  const all = [...addresses('IPv4'), ...(host === '::' ? addresses('IPv6') : [])]
  return all.filter((address) => !/^(169\.254\.|fe[89ab])/i.test(address))
}

type Place = { host: string; port: number; secretsPath: string; hostname: string; interfaces: Interfaces }

/** What whoever opens the service must know: who can reach it, what they may, and how an agent elsewhere joins. Holds no secret. */
export function tellOpen({ host, port, secretsPath, hostname, interfaces }: Place): string[] {
  if (!isOpen(host)) return []
  const urls = openAddresses(host, interfaces).map((address) => `http://${nameOf(address)}:${port}`)
  const first = urls[0] ?? `http://${hostname}:${port}`
  return [
    '',
    `WARNING: HOST=${host} opens this service to everybody who can reach ${urls.join(' or ') || first}.`,
    `  There is no TLS: keys, questions and answers cross the network readable. Use it in a network you trust, or put a TLS proxy before it.`,
    `  Strangers read what is public. Runs from elsewhere need a key (cbr_...) or the admin secret; only http://${loopback}:${port} is the owner.`,
    'An agent on another machine joins with its own provider keys, from a clone of this repository:',
    `  BENCH_AGENT_TOKEN=... npm run cli -- agent --edge ${first}`,
    `  The token is the field agent_token of ${secretsPath} on this machine.`,
    '',
  ]
}
