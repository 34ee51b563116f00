import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { AnsweredPicture } from '../contract/evidence/exchange.ts'
import { pySpace } from '../python/text.ts'
import type { Kit } from '../solvers/kit.ts'
import { readPicture } from './read-picture.ts'

const dataPicture = /data:image\/([^;]+);base64,([A-Za-z0-9+/=]+)/gu
const linkedPicture = /!\[[^\]]*\]\((https?:\/\/[^)]+)\)/gu
const pictureAddress = new RegExp(`https?://[^${pySpace}]+\\.(?:png|jpg|jpeg|webp|gif)`, 'giu')

/** Pictures of one answer that are looked at, at most. */
const mostPictures = 10

/** The ending of an address, without what follows `?` or `#`. */
export function endingOf(address: string): string {
  const path = address.split('?')[0]!.split('#')[0]!
  return path.includes('.') ? path.slice(path.lastIndexOf('.') + 1).toLowerCase() : ''
}

/** Pictures in a text as the official reading finds them: data URIs first, then links of Markdown, then addresses that end like one. */
export function picturesIn(text: string): { source: 'data' | 'address'; format: string; data: string }[] {
  const link = (address: string) => ({ source: 'address' as const, format: endingOf(address), data: address })
  return [
    ...[...text.matchAll(dataPicture)].map(([, format, data]) => ({ source: 'data' as const, format: format!, data: data! })),
    ...[...text.matchAll(linkedPicture)].map(([, address]) => link(address!)),
    ...[...text.matchAll(pictureAddress)].map(([address]) => link(address)),
  ]
}

/** A text with the hash of every picture in place of its bytes, so that no record holds megabytes. */
export function withoutPictures(text: string): string {
  return text.replace(
    dataPicture,
    (_, format: string, data: string) => `data:image/${format};sha256,${bytesToHex(sha256(bytesOf(data) ?? new Uint8Array()))}`,
  )
}

function bytesOf(base64: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
  } catch {
    return null
  }
}

/**
 * The pictures of an answer: those with bytes are read and kept as artifacts, addresses are written down and never opened. A picture that cannot be kept is
 * known by its hash all the same.
 */
export async function answeredPictures(text: string, kit: Pick<Kit, 'keep'>): Promise<AnsweredPicture[]> {
  const found: AnsweredPicture[] = []
  for (const { source, format, data } of picturesIn(text).slice(0, mostPictures)) {
    const shown = { source, format: format.slice(0, 100) }
    if (source === 'address') {
      found.push({ ...shown, address: data.slice(0, 2000), artifact: null, sha256: null, bytes: null, read: null })
      continue
    }
    const bytes = bytesOf(data)
    if (!bytes) {
      found.push({ ...shown, address: null, artifact: null, sha256: null, bytes: null, read: null })
      continue
    }
    const read = await readPicture(bytes)
    const name = `picture-${found.length + 1}.${read?.format ?? 'bin'}`
    const media_type = read ? `image/${read.format === 'jpg' ? 'jpeg' : read.format}` : 'application/octet-stream'
    const kept = await kit.keep({ name, kind: 'picture', media_type, body: bytes })
    const facts = { sha256: bytesToHex(sha256(bytes)), bytes: bytes.length, read }
    found.push({ ...shown, address: null, artifact: kept.ok ? name : null, ...facts })
  }
  return found
}
