import type { AheadItem } from '../contract/ahead.ts'
import type { Stretch, Trial, TrialView } from './trial-store.ts'

/** An item as one word, by which it is compared. */
export const itemKey = ({ benchmark, item_id }: AheadItem): string => `${benchmark} ${item_id}`

/** What an agent was told to make ready, and what the other agents of its run were, by `itemKey`. */
export type ToldAhead = { mine: readonly string[]; others: readonly string[] }

/** Pending trials that are looked at beyond those wanted: so many repeats and items of others may come first. */
const window = 256

type Open = Pick<Trial, 'benchmark' | 'item_id' | 'deaths'>

/**
 * The items that an agent may make ready for: of the next pending trials, each item once, at most `count`. What it was told before stays while it is
 * pending; what others were told is theirs, and what it has at work is ready. `open`: pending trials in their order.
 */
export function chooseAhead(
  open: readonly Pick<Open, 'benchmark' | 'item_id'>[],
  count: number,
  { mine, others }: ToldAhead,
  atWork: readonly AheadItem[],
): AheadItem[] {
  const taken = new Set([...others, ...atWork.map(itemKey)])
  const own = new Set(mine)
  const items = new Map(open.map(({ benchmark, item_id }) => [itemKey({ benchmark, item_id }), { benchmark, item_id }]))
  const free = [...items].filter(([key]) => !taken.has(key))
  const kept = free.filter(([key]) => own.has(key))
  const fresh = free.filter(([key]) => !own.has(key))
  return [...kept, ...fresh].slice(0, count).map(([, item]) => item)
}

/** The same of a run's trials. */
export const aheadOf = (
  trials: Pick<TrialView, 'open'>,
  count: number,
  told: ToldAhead,
  atWork: readonly AheadItem[],
  among: readonly Stretch[],
) => chooseAhead(trials.open(count + window, among), count, told, atWork)

/**
 * Which pending trials an agent gets: those taken back from a lost agent, then those whose item it has made ready, and last what others were told, each in the
 * order of the run. None is kept from anybody: whoever asks for a trial goes without one only where none is pending.
 */
export function givenFirst<T extends Open>(open: readonly T[], count: number, { mine, others }: ToldAhead): T[] {
  const [own, theirs] = [new Set(mine), new Set(others)]
  const rank = (trial: T): number => {
    if (trial.deaths > 0) return 0
    const key = itemKey(trial)
    return own.has(key) ? 1 : theirs.has(key) ? 3 : 2
  }
  return open.toSorted((a, b) => rank(a) - rank(b)).slice(0, count)
}

/** The pending trials that a claim gets, at most `count`: the next ones, where nobody was told of any. */
export function openFor(trials: Pick<TrialView, 'open'>, count: number, among?: readonly Stretch[], told?: ToldAhead): Trial[] {
  if (!told || told.mine.length + told.others.length === 0) return trials.open(count, among)
  return givenFirst(trials.open(count + window, among), count, told)
}
