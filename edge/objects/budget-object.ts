import { DurableObject } from 'cloudflare:workers'
import { type BudgetLimits, noLimits, readHolder } from '#shared/contract/budget.ts'
import { BudgetLedger, type LedgerRow } from '../budgets/ledger.ts'
import { readOperatorPays } from '../budgets/operator-pays.ts'
import type { BudgetState, Grant, Standing } from '../budgets/port.ts'
import type { Env } from './env.ts'

/** Prefix of the rows of runs in storage. */
const rowMark = 'run:'

/** Durable Object of one holder of a budget. It alone counts what the holder's runs spend, so no two grants overlap. */
export class BudgetObject extends DurableObject<Env> {
  readonly #ledger: BudgetLedger

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    const { kv } = ctx.storage
    const { kind } = readHolder(ctx.id.name ?? '')
    const fixed = kind === 'operator' ? { day_usd: readOperatorPays(env) ?? 0, month_usd: null } : undefined
    const shelf = {
      rows: () => [...kv.list<LedgerRow>({ prefix: rowMark })].map(([, row]) => row),
      put: (row: LedgerRow) => kv.put(`${rowMark}${row.run_id}`, row),
      drop: (run_id: string) => void kv.delete(`${rowMark}${run_id}`),
      day: () => kv.get<string>('day'),
      saveDay: (day: string) => kv.put('day', day),
      limits: () => fixed ?? kv.get<BudgetLimits>('limits') ?? noLimits,
      saveLimits: (limits: BudgetLimits) => kv.put('limits', limits),
    }
    this.#ledger = new BudgetLedger(shelf, Date.now)
  }

  async begin(run: { run_id: string; reserve_usd: number | null }): Promise<Grant> {
    return this.#ledger.begin(run)
  }

  async forget(run_id: string): Promise<void> {
    return this.#ledger.forget(run_id)
  }

  async take(standing: Standing): Promise<Grant> {
    return this.#ledger.take(standing)
  }

  async set(limits: BudgetLimits): Promise<string[]> {
    return this.#ledger.set(limits)
  }

  async read(): Promise<BudgetState> {
    return this.#ledger.read()
  }
}
