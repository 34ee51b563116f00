import type { RewardEvidence } from '../contract/evidence/reward.ts'
import type { Failure, Outcome } from '../contract/failure.ts'
import type { HarborTask } from '../harbor/task.ts'
import type { HandedOverHere, Kit } from '../solvers/kit.ts'
import { evidenceBefore, regradeEpisode } from './regrade-episode.ts'

/**
 * The trial of a run that only grades again: the tests of the task as it is now over what an earlier trial handed over. Its evidence names that trial. What
 * cannot be graded again is a failure of the replay, and a machine that fails is one of the sandbox, never a score.
 */
export async function regradeTrial(
  task: HarborTask,
  { before, archive }: HandedOverHere,
  kit: Kit,
  given: ReadonlyMap<string, string>,
): Promise<Outcome<RewardEvidence>> {
  if (before.source_id !== task.name)
    return cannot(`the episode was one of ${before.source_id ?? 'another task'}, and the task here is ${task.name}`)
  let unread: Failure | null = null
  const archiveOf = async (name: string): Promise<Uint8Array | 'absent' | null> => {
    const got = await archive(name)
    if (got.ok) return got.value
    unread = got.failure
    return null
  }
  const began_ms = kit.now()
  kit.progress('Verifier')
  const graded = await regradeEpisode(task, evidenceBefore(before), archiveOf, { kit, given })
  if (!graded.ok)
    return unread ? { ok: false, failure: unread } : graded.failure ? { ok: false, failure: graded.failure } : cannot(graded.why)
  const { run_id, ordinal, attempt, score, archives } = before
  return {
    ok: true,
    value: {
      ...graded.evidence,
      phases: [{ name: 'verifier', step: null, began_ms, took_ms: kit.now() - began_ms }],
      regrade_of: { run_id, ordinal, attempt, score, archives },
    },
  }
}

function cannot(why: string): Outcome<never> {
  const detail = `The episode cannot be graded again: ${why}.`.slice(0, 2000)
  return { ok: false, failure: { at: 'replay', reason: 'no-answer', retryable: false, status: null, detail } }
}
