import type { BudgetLimits, BudgetPeriod } from '#shared/contract/budget.ts'
import type { BudgetState, Grant, Short, Standing } from './port.ts'

/** US dollars that are known to be spent, and those reserved for attempts that were lost with their agents. */
type Counted = { spent: number; lost: number }

/**
 * One run in a ledger, in US dollars since the run's beginning. `day` and `month` are the parts that
 * earlier days and months have counted. `turn` 0: only its start is reserved.
 */
export type LedgerRow = Counted & {
  run_id: string
  turn: number
  granted: number
  day: Counted
  month: Counted
  at_ms: number
  refused: boolean
}

/** Where a ledger is kept. `put` and `drop` return after the write is durable or ordered before any answer. */
export type LedgerShelf = {
  rows(): LedgerRow[]
  put(row: LedgerRow): void
  drop(run_id: string): void
  day(): string | undefined
  saveDay(day: string): void
  limits(): BudgetLimits
  saveLimits(limits: BudgetLimits): void
}

/** How long a start stays reserved without a word from the run's object, in milliseconds. */
export const startMs = 15 * 60_000
/** How long a run without reservations is remembered, in milliseconds. A run that is heard later has been counted. */
const rememberedMs = 100 * 86_400_000
const tolerance = 1e-9

const periods = ['day', 'month'] as const
type Period = (typeof periods)[number]

/**
 * The budget of one holder. Every run tells its whole spending and its whole reservation, so a message
 * that comes twice or is lost counts nothing twice. Spending counts in the period in which it is told;
 * reservations of leases go over into the next period. A lost attempt counts as its reservation, and
 * once more as what it cost if it reports in a later period.
 */
export class BudgetLedger {
  readonly #shelf: LedgerShelf
  readonly #now: () => number
  readonly #rows: Map<string, LedgerRow>

  constructor(shelf: LedgerShelf, now: () => number) {
    this.#shelf = shelf
    this.#now = now
    this.#rows = new Map(shelf.rows().map((row) => [row.run_id, row]))
  }

  /** Reserves the first trial of a run, or nothing if it does not fit. Asked again, it answers the same. */
  begin({ run_id, reserve_usd }: { run_id: string; reserve_usd: number | null }): Grant {
    this.#roll()
    if ((this.#rows.get(run_id)?.turn ?? 0) > 0) return { granted_usd: null, room_usd: null, short: null }
    const want = reserve_usd ?? 0
    const spent_usd = reserve_usd === null ? null : 0
    const grant = this.#grant({ run_id, turn: 0, spent_usd, lost_usd: 0, bound_usd: 0, need_usd: want, want_usd: want })
    if (grant.short) this.forget(run_id)
    return grant
  }

  /** Takes back the reservation of a start. A run that has spoken stays. */
  forget(run_id: string): void {
    if (this.#rows.get(run_id)?.turn !== 0) return
    this.#rows.delete(run_id)
    this.#shelf.drop(run_id)
  }

  /** Hears where a run stands and grants what fits; never less than what the run is bound to. */
  take(standing: Standing): Grant {
    this.#roll()
    const known = this.#rows.get(standing.run_id)
    // An older word of the run that was overtaken: the newer one stands.
    if (known && standing.turn <= known.turn) return this.#answer(known, known.granted)
    return this.#grant(standing)
  }

  /** Sets the limits and returns the runs that were refused under the former ones. */
  set(limits: BudgetLimits): string[] {
    this.#roll()
    this.#shelf.saveLimits(limits)
    const waiting = [...this.#rows.values()].filter((row) => row.refused)
    for (const row of waiting) this.#put({ ...row, refused: false })
    return waiting.map(({ run_id }) => run_id)
  }

  read(): BudgetState {
    this.#roll()
    const limits = this.#shelf.limits()
    return { limits, day: this.#periodOf('day', limits.day_usd), month: this.#periodOf('month', limits.month_usd) }
  }

  #grant({ run_id, turn, spent_usd, lost_usd, bound_usd, need_usd, want_usd }: Standing): Grant {
    const known = this.#rows.get(run_id)
    const now: Counted = { spent: spent_usd ?? 0, lost: lost_usd }
    // A run that spoke before and is not remembered was counted long ago.
    const counted = turn > 1 ? now : { spent: 0, lost: 0 }
    const before = known ?? { day: counted, month: counted, refused: false }
    const bases = { day: baseWithin(before.day, now), month: baseWithin(before.month, now) }
    const row = { run_id, turn, ...now, granted: bound_usd, ...bases, at_ms: this.#now(), refused: before.refused }
    const granted = this.#isLimited() && spent_usd === null ? 0 : Math.max(bound_usd, Math.min(want_usd, this.#room(row)))
    const answer = this.#answer({ ...row, granted }, need_usd, spent_usd === null)
    // A run that only tells where it stands is as refused as before.
    this.#put({ ...row, granted, refused: answer.short !== null || (row.refused && need_usd <= bound_usd) })
    return answer
  }

  #answer(row: LedgerRow, need_usd: number, unpriced = false): Grant {
    if (!this.#isLimited()) return { granted_usd: null, room_usd: null, short: null }
    if (unpriced) return { granted_usd: 0, room_usd: 0, short: { period: 'price', until: null, used_up: true } }
    const room_usd = Math.max(0, this.#room(row))
    const short = row.granted + tolerance < need_usd ? this.#shortOf(row, need_usd) : null
    return { granted_usd: row.granted, room_usd, short }
  }

  /** The period in which the need does not fit; of several the one that ends last. */
  #shortOf(row: LedgerRow, need_usd: number): Short {
    const tight = periods.filter((period) => this.#left(period, row, 'granted') + tolerance < need_usd)
    const spent = periods.filter((period) => this.#left(period, row, 'spent') + tolerance < need_usd)
    const period = spent.at(-1) ?? tight.at(-1) ?? 'day'
    return { period, until: endOf(period, this.#now()), used_up: spent.length > 0 }
  }

  #isLimited(): boolean {
    const { day_usd, month_usd } = this.#shelf.limits()
    return day_usd !== null || month_usd !== null
  }

  /** The most that a run may come to beside all others. */
  #room(row: LedgerRow): number {
    return Math.min(...periods.map((period) => this.#left(period, row, 'granted')))
  }

  /** The same for one period; with `spent`, reservations of other runs are left out. */
  #left(period: Period, mine: LedgerRow, by: 'granted' | 'spent'): number {
    const { day_usd, month_usd } = this.#shelf.limits()
    const limit = period === 'day' ? day_usd : month_usd
    if (limit === null) return Number.POSITIVE_INFINITY
    let others = 0
    for (const row of this.#rows.values()) {
      if (row.run_id === mine.run_id) continue
      others += (by === 'spent' ? sum(row) : Math.max(sum(row), row.granted)) - sum(row[period])
    }
    return limit - others + sum(mine[period])
  }

  #periodOf(period: Period, limit_usd: number | null): BudgetPeriod {
    let [spent_usd, reserved_usd] = [0, 0]
    for (const row of this.#rows.values()) {
      spent_usd += sum(row) - sum(row[period])
      reserved_usd += Math.max(0, row.granted - sum(row))
    }
    return { limit_usd, spent_usd: rounded(spent_usd), reserved_usd: rounded(reserved_usd), ends_at: endOf(period, this.#now()) }
  }

  #put(row: LedgerRow): void {
    this.#rows.set(row.run_id, row)
    this.#shelf.put(row)
  }

  /** Begins a new day or month, and forgets starts whose run never came. */
  #roll(): void {
    const nowMs = this.#now()
    const today = new Date(nowMs).toISOString().slice(0, 10)
    const day = this.#shelf.day() ?? today
    for (const row of [...this.#rows.values()]) {
      const unused = row.granted <= sum(row) && row.at_ms < nowMs - rememberedMs
      if (unused || (row.turn === 0 && row.at_ms < nowMs - startMs)) {
        this.#rows.delete(row.run_id)
        this.#shelf.drop(row.run_id)
      } else if (day < today) {
        const counted = { spent: row.spent, lost: row.lost }
        this.#put({ ...row, day: counted, month: day.slice(0, 7) < today.slice(0, 7) ? counted : row.month })
      }
    }
    // A clock that goes back begins no day anew.
    if (this.#shelf.day() === undefined || day < today) this.#shelf.saveDay(today)
  }
}

const sum = ({ spent, lost }: Counted): number => spent + lost

/** What earlier periods counted of what counts now: a lost attempt that has reported counts as what it cost. */
const baseWithin = (base: Counted, now: Counted): Counted => ({
  spent: Math.min(base.spent, now.spent),
  lost: Math.min(base.lost, now.lost),
})

/** When the day or the month after this moment begins, in UTC. */
function endOf(period: Period, nowMs: number): string {
  const now = new Date(nowMs)
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  return new Date(period === 'day' ? Date.UTC(year, month, now.getUTCDate() + 1) : Date.UTC(year, month + 1, 1)).toISOString()
}

/** Rounded to a billionth of a dollar: sums of binary fractions look like money again. */
const rounded = (usd: number): number => Math.round(usd * 1e9) / 1e9
