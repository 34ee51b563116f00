import { expect, test } from 'vitest'
import { memoryShelf } from '../testing/memory-budgets.ts'
import { BudgetLedger, startMs } from './ledger.ts'

const at = (iso: string) => Date.parse(iso)
function open(limits: { day_usd: number | null; month_usd: number | null }, start = '2026-01-10T10:00:00Z') {
  const clock = { now: at(start) }
  const shelf = memoryShelf(limits)
  const ledger = new BudgetLedger(shelf, () => clock.now)
  const turns = new Map<string, number>()
  /** What a run says: spent, bound to, and how much more it would like. */
  const take = (run_id: string, spent_usd: number | null, bound_usd: number, more = 0, turn = (turns.get(run_id) ?? 0) + 1) => {
    turns.set(run_id, turn)
    return ledger.take({
      run_id,
      turn,
      spent_usd,
      lost_usd: 0,
      bound_usd,
      need_usd: bound_usd + Math.min(more, 0.1),
      want_usd: bound_usd + more,
    })
  }
  const used = () => {
    const { day, month } = ledger.read()
    return { day: [day.spent_usd, day.reserved_usd], month: [month.spent_usd, month.reserved_usd] }
  }
  return { clock, shelf, ledger, take, used, again: () => new BudgetLedger(shelf, () => clock.now) }
}

test('[BUDGET1] a ledger grants what is left beside the spending and the reservations of all runs', () => {
  const { take, ledger, used } = open({ day_usd: 1, month_usd: null })
  expect(take('a', 0, 0, 0.7).granted_usd).toBeCloseTo(0.7)
  expect(take('b', 0, 0, 0.7)).toMatchObject({ granted_usd: expect.closeTo(0.3), short: null })
  expect(take('c', 0, 0, 0.7)).toMatchObject({ granted_usd: expect.closeTo(0), short: { period: 'day', used_up: false } })
  take('a', 0.2, 0.2) // it gives back what it does not need
  expect(take('c', 0, 0, 0.7).granted_usd).toBeCloseTo(0.5)
  expect(used()).toEqual({ day: [0.2, 0.8], month: [0.2, 0.8] })
  take('b', 0.3, 0.3)
  take('c', 0.5, 0.5)
  expect(take('d', 0, 0, 0.1).short).toEqual({ period: 'day', until: '2026-01-11T00:00:00.000Z', used_up: true })
  // What was spent all the same counts in full, and takes nothing from others.
  expect(take('b', 0.4, 0.4).granted_usd).toBeCloseTo(0.4)
  expect(ledger.read().day.spent_usd).toBeCloseTo(1.1)
})

test('[BUDGET1] a new day begins with what is reserved, a new month too; no spending counts twice', () => {
  const { take, used, clock } = open({ day_usd: 1, month_usd: 1.5 }, '2026-01-30T23:00:00Z')
  take('a', 0.6, 0.6, 0.3)
  clock.now = at('2026-01-31T00:00:01Z')
  expect(used()).toEqual({ day: [0, 0.3], month: [0.6, 0.3] })
  take('a', 0.9, 0.9)
  expect(used()).toEqual({ day: [0.3, 0], month: [0.9, 0] })
  expect(take('b', 0, 0, 2).granted_usd).toBeCloseTo(0.6) // the month is tighter than the day
  take('b', 0.6, 0.6)
  expect(take('b', 0.6, 0.6, 0.1).short).toEqual({ period: 'month', until: '2026-02-01T00:00:00.000Z', used_up: true })
  clock.now = at('2026-02-01T00:00:00Z')
  expect(used()).toEqual({ day: [0, 0], month: [0, 0] })
  expect(take('b', 0.6, 0.6, 2).granted_usd).toBeCloseTo(1.6)
})

test('[BUDGET1] a lost attempt counts as its reservation; one that reports the next day hides nothing that is spent beside it', () => {
  const { ledger, used, clock } = open({ day_usd: 1, month_usd: null })
  const tell = (turn: number, spent_usd: number, lost_usd: number) =>
    ledger.take({ run_id: 'a', turn, spent_usd, lost_usd, bound_usd: spent_usd + lost_usd, need_usd: 0, want_usd: 0 })
  tell(1, 0.1, 0.4)
  expect(used().day).toEqual([0.5, 0])
  clock.now = at('2026-01-11T01:00:00Z')
  expect(used()).toEqual({ day: [0, 0], month: [0.5, 0] })
  tell(2, 0.3, 0) // it cost 0.1, and another call 0.1
  expect(used()).toEqual({ day: [0.2, 0], month: [0.3, 0] })
})

test('[BUDGET2] a message that comes twice, late or not at all changes no sum; the ledger is the same after it was asleep', () => {
  const { take, used, again } = open({ day_usd: 1, month_usd: null })
  take('a', 0.1, 0.3, 0, 1)
  take('a', 0.3, 0.3, 0, 2)
  for (let times = 0; times < 3; times++) take('a', 0.1, 0.9, 0, 1) // overtaken
  expect(used().day).toEqual([0.3, 0])
  take('a', 0.3, 0.3, 0, 2)
  expect(used().day).toEqual([0.3, 0])
  take('a', 0.5, 0.5, 0, 9) // those between never came
  expect(used().day).toEqual([0.5, 0])
  expect(again().read().day).toMatchObject({ spent_usd: 0.5, reserved_usd: 0, limit_usd: 1 })
})

test('[BUDGET2] a start is reserved once however often it is asked for, goes over to the run, and lapses where no run comes', () => {
  const { ledger, used, clock, take } = open({ day_usd: 1, month_usd: null })
  for (let times = 0; times < 3; times++) expect(ledger.begin({ run_id: 'a', reserve_usd: 0.6 }).short).toBeNull()
  expect(used().day).toEqual([0, 0.6])
  expect(ledger.begin({ run_id: 'b', reserve_usd: 0.6 }).short).toMatchObject({ used_up: false })
  expect(used().day).toEqual([0, 0.6])
  ledger.forget('a')
  expect(ledger.begin({ run_id: 'b', reserve_usd: 0.6 }).short).toBeNull()
  take('b', 0, 0, 0.6)
  ledger.forget('b') // too late: the run has spoken
  expect(used().day).toEqual([0, 0.6])
  ledger.begin({ run_id: 'c', reserve_usd: 0.3 })
  clock.now += startMs + 1
  expect(used().day).toEqual([0, 0.6])
})

test('[BUDGET3] costs that are not known are held: a budget takes no run without a price, a holder without limits takes any', () => {
  const { ledger, take } = open({ day_usd: 1, month_usd: null })
  const unpriced = { period: 'price', until: null, used_up: true }
  expect(ledger.begin({ run_id: 'a', reserve_usd: null }).short).toEqual(unpriced)
  expect(take('b', null, 0)).toEqual({ granted_usd: 0, room_usd: 0, short: unpriced })
  expect(ledger.set({ day_usd: null, month_usd: null })).toEqual(['b'])
  expect(take('b', null, 0).granted_usd).toBeNull()
  expect(ledger.begin({ run_id: 'a', reserve_usd: null }).short).toBeNull()
})

test('[BUDGET4] a changed limit holds for the next grant, takes nothing back, and names the runs that waited', () => {
  const { ledger, take } = open({ day_usd: 1, month_usd: null })
  take('a', 0.4, 0.95)
  expect(take('b', 0, 0, 0.2).short).toMatchObject({ used_up: false })
  expect(ledger.set({ day_usd: 0.5, month_usd: null })).toEqual(['b'])
  expect(take('a', 0.4, 0.95, 0.2)).toMatchObject({ granted_usd: 0.95, short: { used_up: true } })
  expect(take('b', 0, 0, 0.1).short).toMatchObject({ used_up: false })
  expect(ledger.set({ day_usd: 2, month_usd: null }).sort()).toEqual(['a', 'b'])
  expect(take('b', 0, 0, 0.1)).toMatchObject({ granted_usd: expect.closeTo(0.1), short: null })
  expect(ledger.set({ day_usd: 3, month_usd: null })).toEqual([])
})
