import type { ItemRowPage } from '#shared/contract/item-rows.ts'
import { count } from '../ui/format.ts'

/** How long a list is and what its chips count, as far as is known: a search counts no further than its page needs. */
export type ListLength = Pick<ItemRowPage, 'total' | 'total_is' | 'counts' | 'counts_are'>

/** What is known of a list when another of its pages has told its own; a deeper page knows of more lines. */
export function knownLength(known: ListLength, told: ListLength): ListLength {
  if (known.total_is === 'exact') return known
  return told.total_is === 'exact' || told.total > known.total ? told : known
}

/**
 * The number of a chip: `412`, or `412+` and `1,000+` where more may fit than were counted; nothing where none was met yet. A chip that is on
 * counts the list itself, which may be known whole when what its neighbours would show is not.
 */
export function chipText(length: ListLength, number: number, on: boolean): string {
  const is = on ? length.total_is : length.counts_are
  if (is === 'exact') return count(number)
  return number === 0 ? '' : `${count(number > 1000 ? number - (number % 1000) : number)}+`
}
