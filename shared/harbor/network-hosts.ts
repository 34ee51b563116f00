import { strip } from '../python/text.ts'

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * A list of hosts as Harbor keeps it: names in small letters, `*.` in front for all below a name, addresses, and ranges without host bits.
 * A text where an entry is none of these.
 */
export function readHosts(hosts: readonly string[]): { ok: true; hosts: string[] } | { ok: false; entry: string } {
  const read: string[] = []
  for (const entry of hosts) {
    const host = readHost(strip(entry).toLowerCase().replace(/\.+$/, ''))
    if (host === undefined) return { ok: false, entry }
    read.push(host)
  }
  return { ok: true, hosts: read }
}

function readHost(host: string): string | undefined {
  if (host.includes('/')) return readRange(host)
  if (host.includes(':')) return ipv6Text(ipv6Of(host))
  const name = host.startsWith('*.') ? host.slice(2) : host
  if (name !== host && ipv4Of(name) !== undefined) return undefined
  return name !== '' && name.split('.').every((part) => label.test(part)) ? host : undefined
}

function readRange(host: string): string | undefined {
  const [address = '', suffix = '', ...more] = host.split('/')
  const six = address.includes(':')
  const bits = six ? ipv6Of(address)?.flatMap((group) => bitsOf(group, 16)) : ipv4Of(address)?.flatMap((byte) => bitsOf(byte, 8))
  const length = lengthOf(suffix, six)
  if (more.length > 0 || bits === undefined || length === undefined || bits.slice(length).includes(1)) return undefined
  return `${six ? ipv6Text(ipv6Of(address)) : address}/${length}`
}

/** How many bits of a range are fixed: told as a number, or for IPv4 as a mask. */
function lengthOf(suffix: string, six: boolean): number | undefined {
  if (/^\d+$/.test(suffix)) return Number(suffix) <= (six ? 128 : 32) ? Number(suffix) : undefined
  const bits = six
    ? undefined
    : ipv4Of(suffix)
        ?.flatMap((byte) => bitsOf(byte, 8))
        .join('')
  if (bits === undefined) return undefined
  const mask = /^(1*)0*$/.exec(bits) ?? /^(0*)1*$/.exec(bits)
  return mask?.[1]?.length
}

const bitsOf = (value: number, width: number): number[] => Array.from({ length: width }, (_, at) => (value >> (width - 1 - at)) & 1)

function ipv4Of(text: string): number[] | undefined {
  const parts = text.split('.')
  const plain = parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)
  return plain ? parts.map(Number) : undefined
}

function ipv6Of(text: string): number[] | undefined {
  const four = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text)
  const bytes = four ? ipv4Of(four[2] ?? '') : undefined
  if (four && !bytes) return undefined
  const plain = bytes ? `${four?.[1]}${hexOf(bytes.slice(0, 2))}:${hexOf(bytes.slice(2))}` : text
  const halves = plain.split('::')
  if (halves.length > 2) return undefined
  const [head, tail] = [groupsOf(halves[0] ?? ''), groupsOf(halves[1] ?? '')]
  if (head === undefined || tail === undefined) return undefined
  const missing = 8 - head.length - tail.length
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined
  return [...head, ...Array<number>(missing).fill(0), ...tail]
}

const hexOf = ([high = 0, low = 0]: readonly number[]): string => (high * 256 + low).toString(16)

function groupsOf(text: string): number[] | undefined {
  if (text === '') return []
  const groups = text.split(':')
  return groups.every((group) => /^[0-9a-f]{1,4}$/.test(group)) ? groups.map((group) => Number.parseInt(group, 16)) : undefined
}

/** The shortest form: the first of the longest runs of two zeros or more is left out. */
function ipv6Text(groups: number[] | undefined): string | undefined {
  if (groups === undefined) return undefined
  const text = groups.map((group) => group.toString(16)).join(':')
  const runs = [...text.matchAll(/(?<![^:])0(?::0)+(?![^:])/g)]
  const longest = runs.reduce((best, run) => (run[0].length > best.length ? run[0] : best), '')
  if (longest === '') return text
  const at = text.search(new RegExp(`(?<![^:])${longest}(?![^:])`))
  return `${text.slice(0, at).replace(/:$/, '')}::${text.slice(at + longest.length).replace(/^:/, '')}`
}
