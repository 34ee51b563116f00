import type { ByteSource } from '../export/byte-source.ts'
import { RefusedZip, type TaskZipLimits } from './zip-problem.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
/** Comparing a name costs as much as unpacking so many bytes. */
const nameWork_bytes = 512
const device = /^(?:CON|PRN|AUX|NUL|COM[1-9]|LPT[1-9])$/i

/** A name for a message: what cannot be shown is a question mark, what is long is cut. */
export const shownName = (bytes: Uint8Array): string => {
  const text = String.fromCharCode(...bytes.subarray(0, 120)).replace(/[^\x20-\x7e]/g, '?')
  return bytes.length > 120 ? `${text}…` : text
}

/**
 * The name of an entry as a path from the archive's root, without the `/` at the end of a folder's. Refuses every name that could mean another
 * place or another file somewhere. A name that says nothing of its encoding is UTF-8, as those of macOS are.
 */
export function readEntryName(bytes: Uint8Array, limits: TaskZipLimits): { path: string; folder: boolean } {
  const name = decoded(bytes)
  const unsafe = (text: string) => new RefusedZip('unsafe-name', name, text)
  if (name.includes('\\')) throw unsafe('there is a backslash in it: pack with / between names')
  if (/[\0-\x1f\x7f]/.test(name)) throw new RefusedZip('unsafe-name', shownName(bytes), 'there is a control character in it')
  if (name.startsWith('/')) throw unsafe('it begins with /: pack paths from the folder of the task')
  if (/^[A-Za-z]:/.test(name)) throw unsafe('it begins with the letter of a drive: pack paths from the folder of the task')
  const folder = name.endsWith('/')
  const path = folder ? name.slice(0, -1) : name
  const names = path.split('/')
  for (const one of names) {
    if (one === '..') throw unsafe('it leads out of the archive with ..')
    if (one === '.' || one === '') throw unsafe('there is an empty name or . between its slashes')
    if (/[. ]$/.test(one) || device.test(one)) throw unsafe(`${JSON.stringify(one)} cannot be a name on every system`)
    if (new TextEncoder().encode(one).length > limits.name_bytes) throw longName(name, `a name of more than ${limits.name_bytes} bytes`)
  }
  if (bytes.length > limits.path_bytes) throw longName(name, `more than ${limits.path_bytes} bytes`)
  if (names.length > limits.depth) throw longName(name, `more than ${limits.depth} folders deep`)
  return { path, folder }
}

const longName = (name: string, text: string): RefusedZip => new RefusedZip('long-name', `${name.slice(0, 120)}…`, `it has ${text}`)

function decoded(bytes: Uint8Array): string {
  if (bytes.length === 0) throw new RefusedZip('unsafe-name', '', 'an entry has no name')
  try {
    return utf8.decode(bytes)
  } catch {
    throw new RefusedZip('bad-encoding', shownName(bytes), 'its name is no UTF-8: pack with UTF-8 names')
  }
}

/** Refuses names that are one file on a system that knows neither case nor forms of Unicode, and a file that is a folder elsewhere. */
export async function checkDistinct(
  entries: readonly { path: string; folder: boolean }[],
  source: Pick<ByteSource, 'breathe'>,
): Promise<void> {
  const seen = new Map<string, { path: string; folder: boolean }>()
  const key = (path: string) => path.normalize('NFC').toUpperCase().toLowerCase()
  for (const entry of entries) {
    await source.breathe?.(nameWork_bytes)
    const before = seen.get(key(entry.path))
    if (before) throw new RefusedZip('duplicate-name', entry.path, `another entry is called ${JSON.stringify(before.path)}`)
    seen.set(key(entry.path), entry)
  }
  const parents = new Map<string, string>()
  for (const { path } of entries) {
    await source.breathe?.(nameWork_bytes)
    for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      const parent = path.slice(0, slash)
      const known = parents.get(key(parent))
      if (known === parent) break
      if (known !== undefined)
        throw new RefusedZip('duplicate-name', path, `the folder ${JSON.stringify(parent)} is also written ${JSON.stringify(known)}`)
      parents.set(key(parent), parent)
      const file = seen.get(key(parent))
      if (file && (!file.folder || file.path !== parent))
        throw new RefusedZip('duplicate-name', path, `${JSON.stringify(file.path)} is a file, or written otherwise`)
    }
  }
}
