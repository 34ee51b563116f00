import type { PlannedBenchmark } from '../contract/run.ts'
import type { TrialRecord } from '../contract/trial.ts'
import { addUsage, costUsd, noUsage, type Price, type Spent, type Usage } from '../contract/usage.ts'
import type { Results } from './bundle-schema.ts'
import { nearlyEqual } from './difference.ts'

export type Costs = { add(record: TrialRecord, plan: PlannedBenchmark | undefined): void; verdict(): [ok: boolean, detail: string] }

/**
 * What each trial cost follows from its tokens and the prices frozen with the run, its helpers apart; what the run spent is that and what
 * repeated attempts used besides.
 */
export function openCosts({ spec, spent }: Pick<Results, 'spec' | 'spent'>): Costs {
  let fault: string | null = null
  const model = openPurse()
  const judge = openPurse()
  return {
    add(record, plan) {
      if (fault) return
      const name = `${record.benchmark} item ${record.item_id}, epoch ${record.epoch}`
      // A trial whose agents vanished knows nothing of what they used.
      const unknown = record.failure?.at === 'agent' && record.cost_usd === null
      if (!unknown) fault = priced(record, spec.price, name)
      if (record.judge) fault ??= priced(record.judge, plan?.judge?.price ?? null, `${name}, its judge`)
      model.add(record, spec.price)
      if (record.judge) judge.add(record.judge, plan?.judge?.price ?? null)
    },
    verdict() {
      fault ??= model.fault(spent, spec.price, 'the run')
      const told = spent.judge
      // Judges of several prices: which of them repeated attempts used is not recorded.
      const prices = new Set(spec.benchmarks.flatMap((one) => (one.judge ? [JSON.stringify(one.judge.price)] : [])))
      if (told) fault ??= judge.fault(told, prices.size === 1 ? (JSON.parse([...prices][0]!) as Price | null) : undefined, 'judging')
      else if (judge.count() > 0) fault ??= 'answers were judged, yet the run names no cost of it'
      return [fault === null, fault ?? 'what was spent follows from the tokens and the frozen prices']
    },
  }
}

function priced({ usage, cost_usd }: Spent, price: Price | null, name: string): string | null {
  const cost = costUsd(usage, price)
  return nearlyEqual(cost, cost_usd) ? null : `${name}: its tokens cost ${dollars(cost)}, the record says ${dollars(cost_usd)}`
}

function openPurse() {
  let usage = noUsage
  let cost = 0
  let count = 0
  return {
    count: () => count,
    add(spent: Spent, price: Price | null) {
      count++
      usage = addUsage(usage, spent.usage)
      cost += costUsd(spent.usage, price) ?? 0
    },
    /** `price` is undefined where it is not one. */
    fault(told: Spent, price: Price | null | undefined, whose: string): string | null {
      const kinds = Object.keys(noUsage) as (keyof Usage)[] // the keys of a literal
      const short = kinds.find((kind) => told.usage[kind] < usage[kind])
      if (short) return `${whose} used ${told.usage[short]} ${short.replace('_', ' ')}, its trials ${usage[short]}`
      if (price === undefined)
        return told.cost_usd !== null && told.cost_usd < cost * (1 - 1e-9)
          ? `${whose} cost ${dollars(told.cost_usd)}, its trials ${dollars(cost)}`
          : null
      const besides = Object.fromEntries(kinds.map((kind) => [kind, told.usage[kind] - usage[kind]])) as Usage // the same keys
      const more = costUsd(besides, price)
      const expected = more === null ? null : cost + more
      if (nearlyEqual(expected, told.cost_usd)) return null
      return `${whose} cost ${dollars(expected)} by its tokens, the bundle says ${dollars(told.cost_usd)}`
    },
  }
}

const dollars = (cost: number | null): string => (cost === null ? 'an unknown sum' : `$${cost}`)
