import { roleEntries, rolesOf } from '#shared/contract/role.ts'
import type { TrialRecord } from '#shared/contract/trial.ts'

/** The report of a trial that was given up on the way: what it took, and nothing that could be taken for a result. */
export function asAborted({ artifacts: _left, ...record }: TrialRecord): TrialRecord {
  return {
    ...record,
    ...{ outcome: 'failed', score: null, answer: null, explanation: null, flags: [], detail: {}, messages: [], evidence: null },
    transcript: null,
    failure: { at: 'agent', reason: 'aborted', retryable: true, status: null, detail: 'The trial was given up on the way.' },
  }
}

/** Whether anything was asked for a trial, so that there is something to count. */
export function wasBegun(record: TrialRecord): boolean {
  return record.calls > 0 || roleEntries(rolesOf(record)).some(([, { calls }]) => calls > 0)
}

/** Whether a trial used any token, of its model's or of a helper's, or made a call that told none. */
export function tookAnything(record: TrialRecord): boolean {
  const used = [record, ...roleEntries(rolesOf(record)).map(([, spent]) => spent)]
  return used.some(({ usage }) => usage.input_tokens + usage.output_tokens + (usage.untold_calls ?? 0) > 0)
}
