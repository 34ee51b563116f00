import type { FleetDown, FleetUp } from '#shared/contract/frame.ts'
import { noShares, type RateShares, shareRate } from '#shared/run/rate-share.ts'
import type { Sql } from '../run/run-storage.ts'

type Ask = Extract<FleetUp, { type: 'rate' }>

/**
 * Who may send how much over which provider's key: rows of the fleet's object, so that a restart forgets no grant. A provider's
 * `rate_limit` is in requests a second over all agents.
 */
export function openRateShares(sql: Sql, providers: readonly { id: string; rate_limit?: number | null | undefined }[]) {
  sql.exec('CREATE TABLE IF NOT EXISTS rate (provider TEXT PRIMARY KEY, shares TEXT NOT NULL) WITHOUT ROWID')
  return {
    answer({ ask, provider, want }: Ask, session: string, nowMs: number): FleetDown {
      const limit = providers.find(({ id }) => id === provider)?.rate_limit
      if (limit == null) return { type: 'rate', ask, permits: null }
      const row = sql.exec('SELECT shares FROM rate WHERE provider = ?', provider).toArray()[0]
      const before = row ? (JSON.parse(row.shares as string) as RateShares) : noShares(limit) // written below
      const { shares, permits } = shareRate({ ...before, limit }, session, want, nowMs)
      sql.exec(
        'INSERT INTO rate VALUES (?, ?) ON CONFLICT (provider) DO UPDATE SET shares = excluded.shares',
        provider,
        JSON.stringify(shares),
      )
      return { type: 'rate', ask, permits }
    },
  }
}
export type RateBook = ReturnType<typeof openRateShares>
