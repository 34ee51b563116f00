import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RunId } from '#shared/contract/ids.ts'
import { isTerminal, type RunHead } from '#shared/contract/run.ts'
import { leaseMs } from '#shared/run/lease.ts'
import { commitment, spendingReason } from '#shared/run/spending.ts'
import { handClock, settled } from '#shared/run/testing/hand-clock.ts'
import { brief, startHistory } from '#shared/run/testing/history.ts'
import { testSpec } from '#shared/run/testing/test-spec.ts'
import { draws } from '#shared/testing/draws.ts'
import { BudgetLedger } from '../budgets/ledger.ts'
import type { BudgetsPort } from '../budgets/port.ts'
import { memoryShelf } from '../testing/memory-budgets.ts'
import { createRunBudgets } from './run-budgets.ts'
import type { BudgetTold } from './run-rows.ts'

const day = 86_400_000
const startMs = Date.parse('2026-01-05T12:00:00Z')
const caps = { 'person:p': { day_usd: 0.05, month_usd: 0.4 }, 'key:k': { day_usd: 0.03, month_usd: null } } as const
type Holder = keyof typeof caps
type Under = { run: number; ordinal: number; attempt: number; cost: number; charged: boolean }

const dollarsOf = (head: RunHead): number => {
  const { spent_usd, lost_usd } = commitment(head)!
  return spent_usd + lost_usd
}

/** A stream of numbers in [0, 1) from a seed. */
const randomOf = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
}

/** Runs of two holders whose messages are delayed, lost and doubled, whose agents vanish and whose objects die. `spent`: dollars by holder and day. */
function world(seed: number) {
  const random = randomOf(seed)
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)]
  const clock = handClock(startMs)
  const ledgers = new Map(Object.entries(caps).map(([holder, limits]) => [holder, new BudgetLedger(memoryShelf(limits), clock.now)]))
  const pipe: (() => void)[] = []
  let calm = false
  const take: BudgetsPort['take'] = (holder, standing) =>
    new Promise((resolve, reject) => {
      pipe.push(() => {
        const luck = calm ? 1 : random()
        if (luck < 0.05) return reject(new Error('lost on its way'))
        const grant = ledgers.get(holder)!.take(standing)
        if (luck < 0.1) pipe.push(() => void ledgers.get(holder)!.take(standing)) // it comes again, perhaps much later
        if (luck < 0.15) return reject(new Error('its answer was lost'))
        resolve(grant)
      })
    })
  const spent = new Map<string, number>()
  const charge = (one: Under): void => {
    if (one.charged) return
    one.charged = true
    for (const holder of runs[one.run]!.holders) {
      const name = `${holder} ${new Date(clock.now()).toISOString().slice(0, 10)}`
      spent.set(name, (spent.get(name) ?? 0) + one.cost)
    }
  }
  const runs = [0, 1, 2, 3].map((at) => {
    const holders: Holder[] = at % 2 === 0 ? ['person:p', 'key:k'] : ['person:p']
    const spec = {
      ...testSpec({ benchmarks: [{ name: 'alpha', items: 9, epochs: 1 }] }),
      run_id: RunId.parse(`00000000-0000-4000-8000-00000000000${at}`),
      budgets: holders,
    }
    const history = startHistory(spec)
    let told: BudgetTold | undefined
    let lives = 0
    /** A new life of the object: whatever the former one still wants to write or send is not done. */
    const born = () => {
      const life = ++lives
      const alive = (): void => {
        if (life !== lives) throw new Error('dead')
      }
      const rows = {
        spec: () => spec,
        budgetTold: () => told,
        saveBudgetTold(next: BudgetTold): void {
          alive()
          told = next
        },
      }
      return createRunBudgets({ rows, head: history.head }, { take }, clock, () => undefined)
    }
    return { holders, history, born, budgets: born() }
  })
  const under: Under[] = []
  const gone: Under[] = []
  const claim = async (at: number, agent: number, count: number): Promise<void> => {
    const { history, budgets } = runs[at]!
    const session = `session-${agent}`
    history.run({ type: 'hello', agent_id: `agent-${agent}`, session, holding: mine(at, session) }, clock.now())
    const events = await budgets.within(count, (allowance) => {
      if (runs[at]!.budgets !== budgets) return [] // the object died meanwhile: nobody hears the answer
      return history.run({ type: 'claim', session, count, allowance }, clock.now())
    })
    for (const event of events) {
      if (event.event_type !== 'trials_leased') continue
      for (const [ordinal, attempt] of event.data.leases) {
        const trial = { run: at, ordinal, attempt, cost: random() * history.head().reserve_usd!, charged: false }
        under.push(trial)
        if (random() < 0.5) charge(trial)
      }
    }
  }
  const mine = (at: number, session: string): [number, number][] =>
    runs[at]!.history.trials.leasedTo(session).map((trial) => [trial.ordinal, trial.attempt])
  const report = (one: Under): void => {
    charge(one)
    const { history } = runs[one.run]!
    const outcome = random() < 0.1 ? 'failed' : 'right'
    history.run({ type: 'report', session: 'session-0', results: [brief(one.ordinal, one.attempt, outcome, one.cost)] }, clock.now())
  }
  /** Agents that were silent for too long lose what they had; some of it is reported after all. */
  const tick = (): void => {
    for (const [at, { history }] of runs.entries()) {
      history.run({ type: 'tick' }, clock.now())
      for (const one of under.filter((trial) => trial.run === at)) {
        const now = history.trials.find(one.ordinal)!
        if (now.state === 'leased' && now.attempt === one.attempt) continue
        charge(one)
        under.splice(under.indexOf(one), 1)
        gone.push(one)
      }
    }
  }
  const takeOut = (list: Under[]): Under | undefined => {
    const at = Math.floor(random() * list.length)
    return list.splice(at, 1)[0]
  }
  const step = async (): Promise<void> => {
    const at = Math.floor(random() * runs.length)
    const run = runs[at]!
    const luck = random()
    if (luck < 0.25) void claim(at, Math.floor(random() * 2), 1 + Math.floor(random() * 4))
    else if (luck < 0.6) pipe.splice(Math.floor(random() * pipe.length), 1)[0]?.()
    else if (luck < 0.8) {
      const one = takeOut(under)
      if (one) report(one)
    } else if (luck < 0.84) {
      const late = takeOut(gone)
      if (late) report(late)
    } else if (luck < 0.88) void run.budgets.tell()
    else if (luck < 0.9) run.budgets = run.born()
    else if (luck < 0.92) run.history.run({ type: pick(['pause', 'resume', 'retry_failed'] as const)! }, clock.now())
    else if (luck < 0.98) clock.advance(pick([100, 5000, 11_000])!)
    else clock.advance(pick([leaseMs * 2, day / 3])!)
    tick()
    await settled()
  }
  /** No message is lost any more: every run says where it stands. */
  const settle = async (): Promise<void> => {
    calm = true
    for (const { budgets } of runs) void budgets.tell()
    for (let turns = 0; turns < 200; turns++) {
      await settled()
      for (const deliver of pipe.splice(0)) deliver()
    }
  }
  /** Every message arrives. */
  const deliver = (): void => {
    calm = true
    for (const one of pipe.splice(0)) one()
  }
  return { runs, ledgers, spent, step, settle, clock, claim, deliver }
}

test('[BUDGET5] no interleaving of runs, lost and doubled messages, vanished agents, dead objects and new days passes a budget, and none counts twice', async () => {
  let [most, parked] = [0, 0]
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      const { runs, ledgers, spent, step, settle, clock } = world(seed)
      for (let steps = 0; steps < 400; steps++) {
        await step()
        for (const [name, usd] of spent) {
          const cap = caps[name.split(' ')[0] as Holder].day_usd
          most = Math.max(most, usd / cap)
          expect(usd, name).toBeLessThanOrEqual(cap + 1e-9)
        }
      }
      await settle()
      parked += runs.filter(({ history }) => history.head().parked?.reason === spendingReason).length
      expect(clock.now()).toBeLessThan(Date.parse('2026-02-01T00:00:00Z'))
      for (const [holder, ledger] of ledgers) {
        const counted = runs.filter((run) => run.holders.includes(holder as Holder))
        const sum = counted.reduce((total, { history }) => total + dollarsOf(history.head()), 0)
        expect(ledger.read().month.spent_usd, holder).toBeCloseTo(sum, 6)
      }
    }),
    draws(60),
  )
  // The cases are of use only where budgets are nearly used up and stop runs.
  expect([most > 0.7, parked > 0]).toEqual([true, true])
})

test('[BUDGET6] a run that has begun parks when a budget is used up, says whose and until when, and goes on by itself the next day', async () => {
  const { runs, claim, deliver, clock } = world(1)
  const { history } = runs[0]!
  const asked = async (count: number): Promise<void> => {
    const done = claim(0, 0, count)
    for (let turns = 0; turns < 5; turns++) {
      await settled()
      deliver()
    }
    await done
  }
  await asked(9)
  expect(history.head().leased).toBe(3) // 0.03 at 0.009 each
  const leased = history.trials.leasedTo('session-0')
  history.run(
    { type: 'report', session: 'session-0', results: leased.map(({ ordinal, attempt }) => brief(ordinal, attempt, 'right', 0.009)) },
    clock.now(),
  )
  await asked(1)
  expect(history.head()).toMatchObject({ status: 'paused', done: 3, parked: { reason: spendingReason, until: '2026-01-06T00:00:00.000Z' } })
  expect(history.head().parked!.detail).toBe(
    'The budget of the API key that started it is used up for this day. The run goes on by itself on 2026-01-06 at 00:00 UTC, or when the budget is raised.',
  )
  clock.advance(day / 2)
  history.run({ type: 'tick' }, clock.now())
  expect(history.head()).toMatchObject({ status: 'running', parked: null })
  await asked(9)
  expect(history.head().leased).toBe(3)
  expect(isTerminal(history.head().status)).toBe(false)
})
