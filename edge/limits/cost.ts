/** What answering a request takes: how many of a kind may be under way at once follows from it. */
export type Cost = 'cheap' | 'search' | 'stream' | 'heavy'

/** How many requests, in all and of one visitor. */
type Places = { all: number; each: number }

/**
 * How many requests of a cost one isolate answers at once, and how many more may wait for their turn, for at most `wait_ms`. Whoever is one
 * too many, or waited in vain, is told to come again after `retry_after_s`.
 */
export type Bound = { at_once: Places; waiting: Places; wait_ms: number; retry_after_s: number }

/** Searches are bounded below the connections of the database, so that whatever is cheap always finds one. */
export const bounds: Record<Exclude<Cost, 'cheap'>, Record<'strangers' | 'members', Bound>> = {
  search: {
    strangers: { at_once: { all: 4, each: 2 }, waiting: { all: 16, each: 6 }, wait_ms: 2_000, retry_after_s: 2 },
    members: { at_once: { all: 6, each: 4 }, waiting: { all: 60, each: 20 }, wait_ms: 10_000, retry_after_s: 2 },
  },
  stream: {
    strangers: { at_once: { all: 8, each: 8 }, waiting: { all: 2_000, each: 2_000 }, wait_ms: 10_000, retry_after_s: 2 },
    members: { at_once: { all: 8, each: 8 }, waiting: { all: 2_000, each: 2_000 }, wait_ms: 10_000, retry_after_s: 2 },
  },
  heavy: {
    strangers: { at_once: { all: 1, each: 1 }, waiting: { all: 4, each: 2 }, wait_ms: 10_000, retry_after_s: 10 },
    members: { at_once: { all: 2, each: 1 }, waiting: { all: 12, each: 8 }, wait_ms: 60_000, retry_after_s: 10 },
  },
}
