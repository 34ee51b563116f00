import { sha256 } from '@noble/hashes/sha2.js'
import { lineText, manifestOf } from '../bundle.ts'
import { bundleZip } from '../bundle-limits.ts'
import { BundleLine, type Manifest, type Results } from '../bundle-schema.ts'
import { type Bytes, bytesSource, concat } from '../byte-source.ts'
import { toBase64, toHex } from '../bytes.ts'
import { openContents } from '../contents.ts'
import { legacyJson } from '../legacy-json.ts'
import { openZip } from '../read-zip.ts'
import type { SigningKey } from '../signing-key.ts'
import { openArchive } from '../write-zip.ts'

/** Members by name, in their order. */
export type MemberTexts = Record<string, string>

export async function unpack(bundle: Uint8Array): Promise<MemberTexts> {
  const zip = await openZip(bytesSource(bundle), bundleZip)
  const list: [string, string][] = []
  for (const member of zip.members) list.push([member.name, new TextDecoder().decode(await zip.readWhole(member))])
  return Object.fromEntries(list)
}

const stored = ['manifest.json', 'signature.txt', 'public_key.txt']

/** Packs any texts with our own writer. */
export async function pack(members: MemberTexts): Promise<Uint8Array> {
  const archive = openArchive()
  const pieces: Bytes[] = []
  for (const [name, text] of Object.entries(members)) {
    if (stored.includes(name)) pieces.push(...archive.stored(name, encode(text)))
    else for await (const piece of archive.deflated(name, once(encode(text)))) pieces.push(piece)
  }
  return concat([...pieces, archive.end()])
}

/** The parts of a bundle. `beside` replaces fields of a line other than its record. */
export type Opened = { results: Results; items: (BundleLine & { benchmark: number; beside?: object })[] }
export type Extra = {
  editText?: (text: string) => string
  editManifest?: (manifest: Manifest) => void
  /** Texts of artifacts and reserved files, by name. */
  files?: Record<string, string>
}

/** Somebody with `key` edits the results (or their text) and signs a manifest that fits them perfectly. */
export async function forge(
  bundle: Uint8Array,
  key: SigningKey,
  edit: (opened: Opened) => void,
  { editText = (same) => same, editManifest = () => {}, files = {} }: Extra = {},
): Promise<Uint8Array> {
  const members = await unpack(bundle)
  const results = JSON.parse(members['results.json']!) as Results
  const lines = members['items.jsonl']!.split('\n').slice(0, -1)
  const places = new Map<string, number>(results.benchmarks.map((one, index) => [one.benchmark_name, index]))
  const opened: Opened = {
    results,
    items: lines.map((text) => {
      const line = BundleLine.parse(JSON.parse(text))
      return { ...line, benchmark: places.get(line.record.benchmark)! }
    }),
  }
  edit(opened)
  return signAnew(opened, key, editText, editManifest, files)
}

async function signAnew(
  { results, items }: Opened,
  key: SigningKey,
  editText: (text: string) => string,
  editManifest: NonNullable<Extra['editManifest']>,
  files: Record<string, string>,
) {
  const contents = openContents(results.benchmarks.length, () => sha256.create())
  const lines = items.map(({ record, created_at, withheld_sha256, benchmark, beside }) => {
    const line = lineText({ created_at, record, withheld_sha256 })
    const text = beside ? legacyJson({ ...JSON.parse(line), ...beside }) : line
    contents.add(benchmark, { record, created_at }, encode(text))
    return `${text}\n`
  })
  const artifacts = Object.entries(files).filter(([name]) => name.startsWith('artifacts/'))
  const reserved = Object.entries(files).filter(([name]) => !name.startsWith('artifacts/'))
  const members = Object.fromEntries([
    ['items.jsonl', lines.join('')],
    ...artifacts,
    ['results.json', editText(legacyJson(results))],
    ...reserved,
  ])
  const named = Object.entries(members).map(([name, text]) => ({ name, bytes: encode(text).length, sha256: toHex(sha256(encode(text))) }))
  const packed = await packedWith(members)
  const manifest = manifestOf(results, contents, named, packed, artifacts.length > 0, key.fingerprint)
  editManifest(manifest)
  return pack({ ...members, ...signedTexts(legacyJson(manifest), await signature(legacyJson(manifest), key), key) })
}

/** Everything that stands before the manifest. */
export async function packedWith(members: MemberTexts): Promise<Manifest['archive']> {
  const archive = openArchive()
  const digest = sha256.create()
  for (const [name, text] of Object.entries(members))
    for await (const piece of archive.deflated(name, once(encode(text)))) digest.update(piece)
  return { bytes: archive.bytes(), sha256: toHex(digest.digest()) }
}

/** Returns the four members of a predecessor's bundle with these texts. */
export async function signed(results: string, manifest: string, key: SigningKey): Promise<MemberTexts> {
  return { 'results.json': results, ...signedTexts(manifest, await signature(manifest, key), key) }
}

const signature = async (manifest: string, key: SigningKey): Promise<string> => toBase64(await key.sign(encode(manifest)))
const signedTexts = (manifest: string, signature_: string, key: SigningKey): MemberTexts => ({
  'manifest.json': manifest,
  'signature.txt': signature_,
  'public_key.txt': key.public_key,
})
const encode = (text: string): Bytes => new TextEncoder().encode(text) as Bytes // an encoder makes its own buffers

async function* once<T>(value: T): AsyncGenerator<T> {
  yield value
}
