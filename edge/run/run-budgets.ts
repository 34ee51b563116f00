import type { RunHead } from '#shared/contract/run.ts'
import type { Clock } from '#shared/run/clock.ts'
import { type Allowance, commitment, spendingParked, unlimited } from '#shared/run/spending.ts'
import { drainDelayMs } from '#shared/run/wake.ts'
import type { Log } from '#shared/telemetry/log.ts'
import type { BudgetsPort, Standing } from '../budgets/port.ts'
import type { RunRows } from './run-rows.ts'

/** Least time between two messages about spending while a run works, and how long "no limit" holds, in milliseconds. */
export const tellMs = 10_000
const longestWaitMs = 30_000
const tolerance = 1e-9
/** In place of an amount that a message left open: no answer to it has come. */
const unknownUsd = -1

type Ask = Pick<Standing, 'spent_usd' | 'lost_usd' | 'bound_usd' | 'need_usd' | 'want_usd'>

/**
 * Keeps a run within the budgets of its person and its key. A lease waits for a grant that covers it;
 * the holders hear at most every `tellMs` what the run has spent, and at once when it stops.
 */
export function createRunBudgets(
  { rows, head }: { rows: Pick<RunRows, 'spec' | 'budgetTold' | 'saveBudgetTold'>; head(): RunHead | undefined },
  budgets: Pick<BudgetsPort, 'take'>,
  clock: Pick<Clock, 'now'>,
  log: Log,
) {
  let turn: Promise<unknown> = Promise.resolve()
  /** What all holders let the run come to, as far as this life of the object has heard. */
  let granted = 0
  /** No holder has a limit until then. */
  let freeUntilMs = 0
  let toldMs = Number.NEGATIVE_INFINITY
  let failures = 0
  let underWay = 0

  const holders = (): readonly string[] => {
    const spec = rows.spec()
    return spec && spec.imported === undefined ? (spec.budgets ?? []) : []
  }
  const isWorking = ({ status }: RunHead): boolean => status === 'running' || status === 'queued'
  /** What a run says that wants nothing new: a queued run keeps its first trial. */
  const standingOf = (now: RunHead): Ask => {
    const { spent_usd, lost_usd, bound_usd } = commitment(now) ?? { spent_usd: null, lost_usd: 0, bound_usd: 0 }
    const want_usd = bound_usd + (now.status === 'queued' && spent_usd !== null ? (now.reserve_usd ?? 0) : 0)
    return { spent_usd, lost_usd, bound_usd, need_usd: bound_usd, want_usd }
  }
  const askFor = (now: RunHead, count: number): Ask => {
    const standing = standingOf(now)
    const reserve = now.reserve_usd ?? 0
    const useful = Math.min(count, now.total - now.done - now.leased)
    return { ...standing, need_usd: standing.bound_usd + reserve, want_usd: standing.bound_usd + reserve * useful }
  }
  /** One message to every holder; their answers come back with the holder's name. */
  const say = (ask: Ask) => {
    const told = { turn: (rows.budgetTold()?.turn ?? 0) + 1, spent_usd: null, kept_usd: unknownUsd }
    rows.saveBudgetTold(told) // whatever becomes of the message, the next one has a higher number
    // An answer that is late or lost may have taken back what was granted before.
    granted = Math.min(granted, ask.bound_usd)
    const { run_id } = rows.spec()!
    return Promise.all(holders().map(async (holder) => ({ holder, ...(await budgets.take(holder, { ...ask, run_id, turn: told.turn })) })))
  }
  const exchange = async (ask: Ask): Promise<Allowance> => {
    let answers = await say(ask)
    const least = () => Math.min(...answers.map(({ granted_usd }) => granted_usd ?? Number.POSITIVE_INFINITY))
    const usd = least()
    // What one holder does not grant is of no use with another.
    const kept = Number.isFinite(usd) ? Math.max(ask.bound_usd, usd) : ask.want_usd
    const short = answers.find((one) => one.short?.used_up)
    if (answers.some(({ granted_usd }) => granted_usd !== null && granted_usd > kept + tolerance))
      answers = await say({ ...ask, need_usd: ask.bound_usd, want_usd: kept })
    rows.saveBudgetTold({ turn: rows.budgetTold()!.turn, spent_usd: ask.spent_usd, kept_usd: kept })
    granted = Math.min(kept, least())
    toldMs = clock.now()
    failures = 0
    if (!Number.isFinite(usd)) {
      freeUntilMs = clock.now() + tellMs
      return unlimited
    }
    freeUntilMs = 0
    return { usd: granted, park: short?.short ? spendingParked(short.holder, short.short) : null }
  }
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = turn.then(work)
    turn = next.catch(() => undefined)
    return next
  }
  const away = (error: unknown): void => {
    failures++
    toldMs = clock.now()
    log('warn', 'a budget does not answer, it is asked again', { run_id: rows.spec()?.run_id, error })
  }
  /** What is known without asking; undefined where a holder must be asked. */
  const known = (count: number): Allowance | undefined => {
    const now = head()!
    if (holders().length === 0 || now.reserve_usd === 0 || !isWorking(now)) return unlimited
    if (now.done + now.leased >= now.total || clock.now() < freeUntilMs) return unlimited
    return granted + tolerance >= askFor(now, count).want_usd && commitment(now) ? { usd: granted, park: null } : undefined
  }
  const isOwed = (): boolean => {
    if (holders().length === 0) return false
    const told = rows.budgetTold()
    if (!told) return true
    const { spent_usd, want_usd } = standingOf(head()!)
    return told.spent_usd !== spent_usd || Math.abs(told.kept_usd - want_usd) > tolerance
  }
  const waitMs = (): number => {
    if (failures > 0) return Math.min(longestWaitMs, 250 * 2 ** failures)
    return isWorking(head()!) && rows.budgetTold() ? tellMs : 0
  }

  return {
    /**
     * Calls `decide` with what the run may come to, before it gives out so many trials. No message leaves
     * between the answer of a holder and `decide`: it would give back what `decide` takes. A holder that is
     * away lets nothing new begin.
     */
    within<T>(count: number, decide: (allowance: Allowance) => T): T | Promise<T> {
      const now = known(count)
      if (now) return decide(now)
      return inTurn(async () => {
        const allowance = known(count) ?? (await exchange(askFor(head()!, count)).catch(away))
        return decide(allowance ?? { usd: granted, park: null })
      })
    },
    isDue: (nowMs: number): boolean => isOwed() && underWay === 0 && nowMs >= toldMs + waitMs(),
    /** When the holders are to be told; null where they know. */
    dueMs: (nowMs: number): number | null => (isOwed() ? Math.max(nowMs + drainDelayMs, toldMs + waitMs()) : null),
    /** Tells the holders where the run stands. Never throws. */
    async tell(): Promise<void> {
      if (holders().length === 0 || !head()) return
      underWay++
      await inTurn(() => exchange(standingOf(head()!))).catch(away)
      underWay--
    },
  }
}
