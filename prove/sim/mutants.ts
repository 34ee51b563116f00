import type { RunEvent } from '#shared/contract/event.ts'
import type { RunHead } from '#shared/contract/run.ts'
import type { Command } from '#shared/run/command.ts'
import { decide } from '#shared/run/decide.ts'
import { type RateShares, shareRate } from '#shared/run/rate-share.ts'
import type { Trial, TrialView } from '#shared/run/trial-store.ts'

/** Bugs planted on purpose: a simulator that does not find them is no evidence. The first eight concern the run core, the last two rate limits. */
export const mutants = [
  'drop-fence',
  'forget-duplicates',
  'ack-before-commit',
  'absolute-deadline',
  'failure-as-wrong',
  'reuse-after-cancel',
  'budget-after-send',
  'lose-outbox',
  'skip-drain-marker',
  'insert-not-upsert',
  'retry-wrong-answers',
  'shrink-at-once',
  'forget-grants',
] as const
export type Mutant = (typeof mutants)[number]

const withView = (view: TrialView, change: (trial: Trial, attempt: number) => Trial, attempts: Map<number, number>): TrialView => ({
  ...view,
  find: (ordinal) => {
    const trial = view.find(ordinal)
    return trial && change(trial, attempts.get(ordinal) ?? trial.attempt)
  },
})

/** `decide` with one bug in it, or as it is. */
export function decideWith(mutant: Mutant | null, head: RunHead, view: TrialView, command: Command, nowMs: number): RunEvent[] {
  const attempts = new Map(command.type === 'report' ? command.results.map((brief) => [brief.ordinal, brief.attempt]) : [])
  switch (mutant) {
    case 'drop-fence':
      return decide(
        head,
        withView(view, (trial, attempt) => ({ ...trial, attempt }), attempts),
        command,
        nowMs,
      )
    case 'forget-duplicates': {
      const open = (trial: Trial): Trial => {
        const { ordinal, benchmark, item_id, epoch, attempt, deaths } = trial
        return trial.state === 'done' ? { ordinal, benchmark, item_id, epoch, attempt, deaths, state: 'pending' } : trial
      }
      return decide(head, withView(view, open, attempts), command, nowMs)
    }
    case 'reuse-after-cancel':
      return decide(head.status === 'canceled' && command.type !== 'cancel' ? { ...head, status: 'running' } : head, view, command, nowMs)
    case 'budget-after-send':
      return decide({ ...head, leased: 0, lost: 0 }, view, command, nowMs)
    case 'failure-as-wrong':
      return decide(head, view, command, nowMs).map((event) =>
        event.event_type === 'benchmark_progress'
          ? {
              ...event,
              data: {
                ...event.data,
                results: event.data.results.map((brief) =>
                  brief.outcome === 'failed' ? { ...brief, outcome: 'wrong' as const, score: 0 } : brief,
                ),
              },
            }
          : event,
      )
    default:
      return decide(head, view, command, nowMs)
  }
}

/** `shareRate` as it is, or with an agent's former, higher grant forgotten while it may still be in use. */
export function shareWith(
  mutant: Mutant | null,
  before: RateShares,
  session: string,
  want: number,
  nowMs: number,
): ReturnType<typeof shareRate> {
  const dealt = shareRate(before, session, want, nowMs)
  if (mutant !== 'shrink-at-once') return dealt
  const holders = dealt.shares.holders.map((holder) =>
    holder.session === session ? { ...holder, grants: holder.grants.slice(-1) } : holder,
  )
  return { ...dealt, shares: { ...dealt.shares, holders } }
}
