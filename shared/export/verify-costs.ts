import { type HelperRole, helperRoles, roleEntries, rolesOf, roleTitles } from '../contract/role.ts'
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
  const helpers = new Map(helperRoles.map((role) => [role, openPurse()]))
  return {
    add(record, plan) {
      if (fault) return
      const name = `${record.benchmark} item ${record.item_id}, epoch ${record.epoch}`
      // A trial whose agents vanished knows nothing of what they used.
      const unknown = record.failure?.at === 'agent' && record.cost_usd === null
      if (!unknown) fault = priced(record, spec.price, name)
      model.add(record, spec.price)
      for (const [role, took] of roleEntries(rolesOf(record))) {
        const price = plan ? (rolesOf(plan)[role]?.price ?? null) : null
        fault ??= priced(took, price, `${name}, its ${roleTitles[role].toLowerCase()}`)
        helpers.get(role)?.add(took, price)
      }
    },
    verdict() {
      fault ??= model.fault(spent, spec.price, 'the run')
      const told = rolesOf(spent)
      for (const [role, purse] of helpers) {
        const one = told[role]
        const title = `the ${roleTitles[role].toLowerCase()}`
        if (one) fault ??= purse.fault(one, onlyPrice(spec.benchmarks, role), title)
        else if (purse.count() > 0) fault ??= `${title} was asked, yet the run names no cost of it`
      }
      return [fault === null, fault ?? 'what was spent follows from the tokens and the frozen prices']
    },
  }
}

/** The price of a role; undefined where its models have several: which of them repeated attempts used is not recorded. */
function onlyPrice(benchmarks: readonly PlannedBenchmark[], role: HelperRole): Price | null | undefined {
  const prices = benchmarks.flatMap((one) => rolesOf(one)[role] ?? []).map(({ price }) => price)
  const [first = null] = prices
  return prices.every((price) => JSON.stringify(price) === JSON.stringify(first)) ? first : undefined
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
      const kinds = Object.keys(noUsage) as Exclude<keyof Usage, 'untold_calls'>[] // the keys of a literal
      const short = kinds.find((kind) => told.usage[kind] < usage[kind])
      if (short) return `${whose} used ${told.usage[short]} ${short.replace('_', ' ')}, its trials ${usage[short]}`
      if (price === undefined)
        return told.cost_usd !== null && told.cost_usd < cost * (1 - 1e-9)
          ? `${whose} cost ${dollars(told.cost_usd)}, its trials ${dollars(cost)}`
          : null
      const besides = Object.fromEntries(kinds.map((kind) => [kind, told.usage[kind] - usage[kind]])) as Usage // the same keys
      const more = costUsd(besides, price)
      // What repeated calls did not tell is in no sum; where nothing was told at all, the cost is unknown.
      const expected = more === null || costUsd(told.usage, price) === null ? null : cost + more
      if (nearlyEqual(expected, told.cost_usd)) return null
      return `${whose} cost ${dollars(expected)} by its tokens, the bundle says ${dollars(told.cost_usd)}`
    },
  }
}

const dollars = (cost: number | null): string => (cost === null ? 'an unknown sum' : `$${cost}`)
