import type { Outcome } from '#shared/contract/failure.ts'
import type { HandedOver, KeptAnswers } from '#shared/contract/regrade.ts'
import { replayFinder } from '#shared/run/replay.ts'
import type { TrialResources } from '../trial/resources.ts'
import type { HandedOverArchive } from './fetch-replay.ts'

/** Reads an archive that an earlier trial handed over, as the plan of this run names it. */
export type ReadHandedOver = (archive: HandedOverArchive, signal: AbortSignal) => Promise<Outcome<Uint8Array>>

/** What each trial of a run that grades again is given, found among the answers of its plan; archives are read when they are asked for. */
export function openHandOvers(answers: KeptAnswers, read: ReadHandedOver): NonNullable<TrialResources['handedOver']> {
  const find = replayFinder(answers)
  return (trial, signal) => {
    const before = find(trial)?.handed_over
    return before ? { before, archive: (name) => archiveOf(before, name, read, signal) } : null
  }
}

async function archiveOf(
  { ordinal, archives }: HandedOver,
  name: string,
  read: ReadHandedOver,
  signal: AbortSignal,
): Promise<Outcome<Uint8Array | 'absent'>> {
  const kept = archives.find((one) => one.name === name)
  return kept ? read({ ordinal, ...kept }, signal) : { ok: true, value: 'absent' }
}
