import { type AheadItem, mostAhead } from '#shared/contract/ahead.ts'
import type { RunHead, RunSpec } from '#shared/contract/run.ts'
import { aheadOf, itemKey, type ToldAhead } from '#shared/run/ahead.ts'
import { stretchesOf } from '#shared/run/apply.ts'
import { machineBenchmarks } from '#shared/run/match/match-run.ts'
import type { TrialView } from '#shared/run/trial-store.ts'

/** How long what an agent was told stands at least, in milliseconds. */
const rest_ms = 1000

/** What of a run is looked at. */
type Seen = { head: RunHead; spec: Pick<RunSpec, 'benchmarks'>; trials: Pick<TrialView, 'open' | 'leasedTo'> }

/**
 * Remembers which items each agent of a run was told to make ready. In memory alone: what is forgotten costs a pull, and no trial depends on it.
 */
export function createAheadTeller() {
  const told = new Map<string, { keys: string[]; at_ms: number }>()

  return {
    /** What a session was told, and what the others that are still of the run were; undefined where nobody was told of anything. */
    of(session: string, { agents }: Pick<RunHead, 'agents'>): ToldAhead | undefined {
      for (const one of told.keys()) if (!agents[one]) told.delete(one)
      if (told.size === 0) return undefined
      const others = [...told].flatMap(([one, { keys }]) => (one === session ? [] : keys))
      return { mine: told.get(session)?.keys ?? [], others }
    },
    /** What is to be told a session that has room for so many, or undefined: nothing has changed, or it was told just now, or it does not ask. */
    next(session: string, count: number | undefined, { head, spec, trials }: Seen, nowMs: number): AheadItem[] | undefined {
      if (!count) {
        told.delete(session)
        return undefined
      }
      const before = told.get(session)
      if (before && nowMs < before.at_ms + rest_ms) return undefined
      const known = this.of(session, head) ?? { mine: [], others: [] }
      const among = stretchesOf(head, machineBenchmarks(spec))
      const items = aheadOf(trials, Math.min(count, mostAhead), known, trials.leasedTo(session), among)
      const keys = items.map(itemKey)
      if (keys.join('\n') === (before?.keys ?? []).join('\n')) return undefined
      told.set(session, { keys, at_ms: nowMs })
      return items
    },
  }
}
export type AheadTeller = ReturnType<typeof createAheadTeller>
