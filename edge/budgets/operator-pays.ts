import * as z from 'zod'
import type { Env } from '../objects/env.ts'

const Dollars = z.coerce.number().min(0).max(1_000_000)

/**
 * US dollars a day that the operator pays for each signed-in user whose account pays for nothing
 * (`BENCH_OPERATOR_PAYS_USD_PER_DAY`); null where the operator pays for none.
 */
export function readOperatorPays(env: Partial<Env>): number | null {
  const text = env.BENCH_OPERATOR_PAYS_USD_PER_DAY?.trim()
  const usd = text ? Dollars.safeParse(text).data : undefined
  return usd === undefined || usd === 0 ? null : usd
}

/** What a variable that does not read turns off. */
export const operatorPaysVariables = {
  BENCH_OPERATOR_PAYS_USD_PER_DAY: {
    off: 'models that the operator pays for people whose account pays for none',
    needed: false,
    check(text: string): void {
      if (!Dollars.safeParse(text).success) throw new Error('it is no amount in US dollars')
    },
  },
}
