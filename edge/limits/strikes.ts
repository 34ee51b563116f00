/** How often something may happen: `burst` times at once, then once in `every_ms`. */
export type Allowance = { burst: number; every_ms: number }

export const allowances = {
  /** Credentials that do not hold, by address. */
  guess: { burst: 10, every_ms: 6_000 },
  /** Runs started, by owner. */
  create: { burst: 30, every_ms: 2_000 },
} as const satisfies Record<string, Allowance>
export type StrikeKind = keyof typeof allowances

/** Where a key stands after a strike: nothing more is allowed until `blocked_until_ms`, or `remaining` more are allowed at once. */
export type Standing = { blocked_until_ms: number | null; remaining: number }

/** Counts strikes and says who has to wait. */
export type GuardPort = { strike(kind: StrikeKind, key: string): Promise<Standing> }

/**
 * Strikes by key in bounded memory (GCRA: one number for each key, the moment at which all its strikes are forgiven). Beyond `most` keys the
 * one struck longest ago is forgotten.
 */
export function openStrikes(most = 10_000) {
  const forgivenAt = new Map<string, number>()
  return {
    strike(kind: StrikeKind, key: string, nowMs: number): Standing {
      const { burst, every_ms } = allowances[kind]
      const name = `${kind}|${key}`
      // Who is struck while he waits does not wait longer for it: the right holder behind the same address gets his turn.
      const at = Math.min(Math.max(forgivenAt.get(name) ?? 0, nowMs) + every_ms, nowMs + burst * every_ms)
      forgivenAt.delete(name)
      forgivenAt.set(name, at)
      if (forgivenAt.size > most) forgivenAt.delete(forgivenAt.keys().next().value!)
      const used = Math.ceil((at - nowMs) / every_ms)
      const free = burst - used
      return { blocked_until_ms: free > 0 ? null : at - (burst - 1) * every_ms, remaining: Math.max(0, free) }
    },
    size: () => forgivenAt.size,
  }
}
