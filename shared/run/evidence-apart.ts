import { answerCutFlag, Evidence, evidenceName, responseOf } from '../contract/evidence/evidence.ts'
import type { TrialRecord } from '../contract/trial.ts'
import { toHex } from '../export/bytes.ts'
import { type OpenSha256, openNoble } from '../export/running-sha256.ts'

/** Largest evidence that is read again, in bytes: a Worker of 128 MB holds it as bytes, as text and as what a scorer makes of it. */
export const mostReadBytes = 8 * 2 ** 20

/** The bytes of an artifact that the record names; null where they are not to be had here. */
export type ReadArtifact = (record: TrialRecord, sha256: string) => Promise<Uint8Array | null>

/** What a scorer can be given: the evidence, null where none was kept, or that it lies apart from the record. */
export type EvidenceHere = Evidence | null | 'apart'

/** The evidence as far as the record holds it. */
export function evidenceHere({ flags, evidence }: Pick<TrialRecord, 'flags' | 'evidence'>): EvidenceHere {
  return flags.includes(answerCutFlag) ? 'apart' : evidence
}

/**
 * The evidence whole, read from its artifact where the record has only its beginning; records as lists give them, without reasoning, will do. Bytes
 * that do not have the hash that the record names, or begin otherwise than the record does, are null, as if none had been kept.
 */
export async function readEvidence(record: TrialRecord, read: ReadArtifact, openSha256: OpenSha256 = openNoble): Promise<EvidenceHere> {
  const here = evidenceHere(record)
  if (here !== 'apart') return here
  const file = record.artifacts?.find(({ name }) => name === evidenceName)
  if (!file) return null
  const bytes = file.bytes <= mostReadBytes ? await read(record, file.sha256) : null
  if (!bytes) return 'apart'
  const digest = openSha256()
  digest.update(bytes)
  if (toHex(digest.digest()) !== file.sha256) return null
  const whole = parse(bytes)
  return whole && begins(whole, record.evidence) ? whole : null
}

function begins(whole: Evidence, head: Evidence | null): boolean {
  return head?.kind === whole.kind && (responseOf(whole) ?? '').startsWith(responseOf(head) ?? '')
}

function parse(bytes: Uint8Array): Evidence | null {
  try {
    return Evidence.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data ?? null
  } catch {
    return null
  }
}
