import type { RewardEvidence } from '../contract/evidence/reward.ts'
import type { Failure } from '../contract/failure.ts'
import type { HandOverFacts } from '../contract/regrade.ts'
import { type ByteSource, bytesSource, gather } from '../export/byte-source.ts'
import type { HarborTask } from '../harbor/task.ts'
import { visitEntries } from '../harbor/zip-contents.ts'
import { readEntries } from '../harbor/zip-entries.ts'
import { checkDistinct } from '../harbor/zip-entry-name.ts'
import { RefusedZip, taskZipLimits } from '../harbor/zip-problem.ts'
import type { TreeFile } from '../solvers/machine.ts'
import { handedOverName, takenFrom } from './hand-over.ts'
import { type ApartVerification, verifyApart } from './verify-apart.ts'
import { logPrefix } from './worker.ts'

/** Evidence with what the tests say now, or why they cannot say it: a sentence, and the failure of the machine where that was it. `retryable`: another try may have better luck. */
export type Regraded = { ok: true; evidence: RewardEvidence } | { ok: false; why: string; retryable: boolean; failure: Failure | null }

/**
 * Runs the tests of a task once more over what an episode handed over; nobody works again. `archiveOf` gives an archive that the trial kept by its name:
 * `absent` where it kept none, null where it has got lost. Only steps whose verifier has a machine of its own can be graded again. Never throws for what is in an
 * archive.
 */
export async function regradeEpisode(
  task: HarborTask,
  before: RewardEvidence,
  archiveOf: (name: string) => Promise<Uint8Array | 'absent' | null>,
  { kit, given }: Pick<ApartVerification, 'kit' | 'given'>,
): Promise<Regraded> {
  const refused = (why: string, failure: Failure | null = null): Regraded => ({
    ok: false,
    why,
    retryable: failure?.retryable ?? false,
    failure,
  })
  const names = (steps: readonly { name: string | null }[]): string => steps.map(({ name }) => name ?? '').join('\n')
  if (names(task.steps) !== names(before.steps)) return refused('the task has other steps now')
  if (task.steps.some(({ verifier }) => verifier.place.mode === 'shared'))
    return refused(
      'it is graded in the machine that was worked in, which is gone; a verifier with environment_mode = "separate" can grade again',
    )
  const steps: RewardEvidence['steps'] = []
  for (const [at, step] of task.steps.entries()) {
    const then = before.steps[at]! // they have the same names
    if (then.agent.end === 'skipped') {
      steps.push(then)
      continue
    }
    const archive = await archiveOf(handedOverName(step))
    if (archive === null) return refused(`what it handed over (${handedOverName(step)}) is not kept any more`)
    const files = archive === 'absent' ? [] : await unpack(archive)
    if (files === null) return refused(`${handedOverName(step)} is no archive that this program wrote`)
    const graded = await verifyApart({ step, taken: takenFrom(step, files), kit, given, log: `${logPrefix(step)}verifier/test-stdout.txt` })
    if (!graded.ok) return refused(`${graded.failure.at}/${graded.failure.reason}: ${graded.failure.detail}`, graded.failure)
    steps.push({ name: then.name, agent: then.agent, ...graded.value })
  }
  return { ok: true, evidence: { ...before, strategy: task.reward_strategy ?? 'mean', steps } }
}

/** The evidence of then, as far as it goes on: who worked and how that ended. Nobody answered in this run. */
export function evidenceBefore({ agent, image, steps }: HandOverFacts): RewardEvidence {
  return {
    kind: 'reward',
    ...{ text: '', reasoning: null, finish_reason: null, scoring_input: null, truncated_reasoning: false },
    ...{ agent, image, room: 'clean', strategy: 'mean', phases: [] },
    steps: steps.map((step) => ({ ...step, rewards: null, problem: 'missing', ignored: [], tampering: [], verifier: null })),
  }
}

async function unpack(bytes: Uint8Array): Promise<TreeFile[] | null> {
  const source: ByteSource = bytesSource(bytes)
  const files: TreeFile[] = []
  try {
    const { entries, end } = await readEntries(source, taskZipLimits)
    if (entries.reduce((sum, { size }) => sum + size, 0) > taskZipLimits.unpacked_bytes) return null
    await checkDistinct(entries, source)
    await visitEntries(source, { entries, end }, async ({ path, mode, size, folder }, pieces) => {
      if (!folder) files.push({ path, mode, bytes: await gather(pieces, size) })
    })
    return files
  } catch (error) {
    if (error instanceof RefusedZip) return null
    throw error
  }
}
