import { HandOverFacts } from '../contract/regrade.ts'
import type { TrialRecord } from '../contract/trial.ts'
import type { OpenSha256 } from '../export/running-sha256.ts'
import { type ReadArtifact, readEvidence } from './evidence-apart.ts'

/** What a trial keeps beside its hand-over where it could not be graded: `HandOverFacts` as JSON. */
export const handOverFactsName = 'hand-over.json'

/** Who worked in an episode and how that ended, or the sentence that says why nothing of it can be graded again. */
export type HandOverFound = { ok: true; facts: HandOverFacts } | { ok: false; why: string }

/**
 * What an ended trial of a terminal task handed over, as far as grading it again needs it: told by its evidence, else by what it kept when its verifier could not be
 * had. Its archives are not looked at.
 */
export async function readHandOver(record: TrialRecord, read: ReadArtifact, openSha256?: OpenSha256): Promise<HandOverFound> {
  const evidence = await readEvidence(record, read, openSha256)
  if (evidence === 'apart') return { ok: false, why: 'what is known of it lies apart and cannot be read any more' }
  if (evidence) return evidence.kind === 'reward' ? { ok: true, facts: evidence } : { ok: false, why: 'nobody worked at a terminal in it' }
  const { failure } = record
  const kept = record.artifacts?.find(({ name }) => name === handOverFactsName)
  if (!kept) return { ok: false, why: `nothing was handed over${failure ? `: it failed before as ${failure.at}/${failure.reason}` : ''}` }
  const bytes = await read(record, kept.sha256)
  const facts = bytes && parse(bytes)
  return facts ? { ok: true, facts } : { ok: false, why: `what it handed over (${handOverFactsName}) is not kept any more` }
}

function parse(bytes: Uint8Array): HandOverFacts | null {
  try {
    return HandOverFacts.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data ?? null
  } catch {
    return null
  }
}
