import { sha256 } from '@noble/hashes/sha2.js'
import { manifestOf } from '../bundle.ts'
import type { Manifest, Results } from '../bundle-schema.ts'
import { toBase64, toHex } from '../bytes.ts'
import { legacyJson } from '../legacy-json.ts'
import { readZip } from '../read-zip.ts'
import type { SigningKey } from '../signing-key.ts'
import { createZip, type MemberName, memberNames } from '../zip.ts'

export type MemberTexts = Record<MemberName, string>

export function unpack(bundle: Uint8Array): MemberTexts {
  const list = readZip(bundle, memberNames).map(({ name, bytes }) => [name, new TextDecoder().decode(bytes)])
  return Object.fromEntries(list) as MemberTexts
}

/** Packs any texts with our own writer, so that only what they say can give them away. */
export function pack(members: MemberTexts, order: readonly MemberName[] = memberNames): Uint8Array {
  const bytes: number[] = []
  const zip = createZip((chunk) => {
    for (const byte of chunk) bytes.push(byte)
  })
  for (const name of order) {
    zip.open(name)
    zip.push(new TextEncoder().encode(members[name]))
    zip.close()
  }
  zip.end()
  return Uint8Array.from(bytes)
}

/** Somebody with `key` edits the results (or their text) and signs a manifest that fits them perfectly. */
export async function forge(
  bundle: Uint8Array,
  key: SigningKey,
  edit: (results: Results) => void,
  extra: { editText?: (text: string) => string; editManifest?: (manifest: Manifest) => void } = {},
): Promise<Uint8Array> {
  const results = JSON.parse(unpack(bundle)['results.json']) as Results
  edit(results)
  const text = (extra.editText ?? ((same) => same))(legacyJson(results))
  const bytes = new TextEncoder().encode(text)
  const manifest = manifestOf(results, toHex(sha256(bytes)), bytes.length, key.fingerprint)
  extra.editManifest?.(manifest)
  return pack(await signed(text, legacyJson(manifest), key))
}

export async function signed(results: string, manifest: string, key: SigningKey): Promise<MemberTexts> {
  const signature = toBase64(await key.sign(new TextEncoder().encode(manifest)))
  return { 'results.json': results, 'manifest.json': manifest, 'signature.txt': signature, 'public_key.txt': key.public_key }
}
