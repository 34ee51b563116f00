import { count } from '../ui/format.ts'

type Since = {
  /** Results of the run since the list was read. */
  arrived: number
  /** How many of them the page still has from the stream, whether they fit the filter or not. */
  held: number
  /** How many of those fit. */
  fitting: number
  /** A search looks into texts that the stream does not carry. */
  searched: boolean
}

/** What a list that stands still says of what it does not show yet; undefined when there is nothing. A part that was counted is called one. */
export function newText({ arrived, held, fitting, searched }: Since): string | undefined {
  if (Math.max(arrived, held) <= 0) return undefined
  if (!searched && held >= arrived) return fitting > 0 ? `${count(fitting)} new` : undefined
  return fitting > 0 ? `at least ${count(fitting)} new` : 'look for new ones'
}
