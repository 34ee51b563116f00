/** Blocks of IPv4 that are nobody's on the public internet. Source: IANA's special-purpose address registry. */
const closed4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
]
/** Addresses in public blocks at which clouds answer their own machines with credentials. */
const metadata4: readonly string[] = ['168.63.129.16', '100.100.100.200']
/** Names that no public resolver answers, or that clouds answer with their metadata service. */
const closedNames = [
  'localhost',
  'local',
  'internal',
  'intranet',
  'lan',
  'home',
  'corp',
  'private',
  'localdomain',
  'home.arpa',
  'test',
  'invalid',
  'onion',
]

/**
 * Whether an address belongs to the public internet: not loopback, private, link-local, shared, multicast, documentation or a cloud's metadata. IPv6 is public
 * in 2000::/3 alone, and where it carries an IPv4 address (mapped, NAT64, 6to4) that one is looked at. What is no address is not public.
 */
export function isPublicAddress(address: string): boolean {
  const four = bytesOf4(address)
  if (four !== null) return isPublic4(four)
  const six = groupsOf6(address)
  if (six === null) return false
  const [first, second] = six as [number, number]
  const carried = (at: number): boolean => isPublic4(((six[at]! << 16) | six[at + 1]!) >>> 0)
  if (six.slice(0, 5).every((group) => group === 0) && six[5] === 0xffff) return carried(6)
  if (first === 0x64 && second === 0xff9b && six.slice(2, 6).every((group) => group === 0)) return carried(6)
  if (first === 0x2002) return carried(1)
  if (first === 0x2001 && (second < 0x200 || second === 0xdb8)) return false
  return first >= 0x2000 && first < 0x4000 && first !== 0x3fff
}

/**
 * Why a host cannot be reached from a build, in words; null: its spelling is one of a public host. A name may still resolve to a closed address: whoever connects
 * looks at that too. Numbers in other notations (`0x7f.1`, `2130706433`, `0177.0.0.1`) are the addresses that they mean.
 */
export function hostProblem(host: string): string | null {
  const url = URL.canParse(`http://${host}/`) ? new URL(`http://${host}/`) : null
  const name = url?.hostname.replace(/\.+$/, '') ?? ''
  if (!url || name === '') return 'it is no host'
  const bare = name.startsWith('[') ? name.slice(1, -1) : name
  if (bytesOf4(bare) !== null || bare.includes(':')) return isPublicAddress(bare) ? null : 'it is no address of the public internet'
  if (!bare.includes('.')) return 'it is a name of a local network'
  return closedNames.some((one) => bare.endsWith(`.${one}`)) ? 'it is a name of a local network' : null
}

function isPublic4(address: number): boolean {
  const isIn = ([block, bits]: readonly [string, number]): boolean => address >>> (32 - bits) === bytesOf4(block)! >>> (32 - bits)
  return !closed4.some(isIn) && !metadata4.some((one) => bytesOf4(one) === address)
}

/** Four bytes as one number; null for what is no IPv4 address in its usual form. */
function bytesOf4(text: string): number | null {
  if (!/^(?:\d{1,3}\.){3}\d{1,3}$/.test(text)) return null
  const bytes = text.split('.').map(Number)
  return bytes.every((byte) => byte <= 255) ? bytes.reduce((sum, byte) => ((sum << 8) | byte) >>> 0, 0) : null
}

/** The eight groups of an IPv6 address, a zone left out; null for what is none. */
function groupsOf6(text: string): number[] | null {
  const host = `http://[${text.replace(/%.*$/, '')}]/`
  if (!text.includes(':') || !URL.canParse(host)) return null
  const [head = '', tail] = new URL(host).hostname.slice(1, -1).split('::')
  const groups = (part: string): number[] => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)))
  const [front, back] = [groups(head), groups(tail ?? '')]
  return [...front, ...Array<number>(8 - front.length - back.length).fill(0), ...back]
}
