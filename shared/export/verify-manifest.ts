import type { PredecessorManifest } from './bundle-schema.ts'
import { fromBase64 } from './bytes.ts'
import { NotCanonical } from './canonical-json.ts'
import { fingerprintOf, verifyStrict } from './ed25519.ts'
import { type Span, scanLegacyJson } from './scan-json.ts'
import type { ReportWriter, TrustedKey } from './verify-report.ts'

/** What is signed and by whom, as the members hold it. */
export type SignedMembers = Record<'manifest.json' | 'signature.txt' | 'public_key.txt', Uint8Array>

/** JSON in its one form; undefined for any other bytes. */
export function parseCanonical(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(scanLegacyJson(bytes, { python: true }).skeleton)
  } catch {
    return undefined
  }
}

export const isNamed = (parsed: unknown): parsed is { format: unknown } =>
  typeof parsed === 'object' && parsed !== null && 'format' in parsed

export function checkSignature(
  members: SignedMembers,
  signed: PredecessorManifest,
  keys: readonly TrustedKey[],
  report: ReportWriter,
): void {
  const text = (name: keyof SignedMembers) => String.fromCharCode(...members[name].subarray(0, 200))
  const fingerprint = signed.public_key_fingerprint
  const enclosed = fromBase64(text('public_key.txt'))
  const trusted = keys.find((key) => key.fingerprint === fingerprint)
  const publicKey = trusted && fromBase64(trusted.public_key)
  const signature = fromBase64(text('signature.txt'))
  if (enclosed?.length !== 32 || fingerprintOf(enclosed) !== fingerprint) {
    report.check('key', false, 'public_key.txt is not the key the manifest names')
  } else if (!trusted || !publicKey || fingerprintOf(publicKey) !== fingerprint) {
    report.check('key', false, `key ${fingerprint} is not one of the ${keys.length} pinned keys`)
  } else if (trusted.retired_at !== null && !(Date.parse(signed.generated_at) <= Date.parse(trusted.retired_at))) {
    report.check('key', false, `key ${fingerprint} was retired on ${trusted.retired_at}; this was not signed before`)
  } else report.check('key', true, trusted.retired_at ? `pinned; retired on ${trusted.retired_at}` : 'pinned')
  const byWhom = publicKey ?? enclosed
  const valid = !!signature && !!byWhom && verifyStrict(signature, members['manifest.json'], byWhom)
  report.check('signature', valid, valid ? `Ed25519, by key ${fingerprint}` : 'the manifest does not carry a valid signature of this key')
}

/** The results in their one form, their items apart; undefined, and a failed check, where they are in another. */
export function scanResults(bytes: Uint8Array, python: boolean, report: ReportWriter): { spans: Span[]; skeleton: string } | undefined {
  const isItems = (path: readonly (string | number)[]) => path.length === 3 && path[0] === 'benchmarks' && path[2] === 'items'
  try {
    const scanned = scanLegacyJson(bytes, { python, collect: isItems })
    report.check('canonical', true, 'the results are in the one form that says what they say')
    return scanned
  } catch (error) {
    if (!(error instanceof NotCanonical)) throw error
    report.check('canonical', false, error.message)
    return undefined
  }
}

/** The first thing that keeps a document from being what it should be. */
export function firstIssue(result: { error?: { issues: readonly { path: PropertyKey[]; message: string }[] } | undefined }): string {
  const issue = result.error?.issues[0]
  return issue ? `/${issue.path.join('/')}: ${issue.message}` : 'it does not fit the schema'
}
