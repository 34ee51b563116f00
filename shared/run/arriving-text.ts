import type { Run } from '../contract/api.ts'

/** What to know of a run that has ended before all of its results are in the record; null of any other. */
export function arrivingText({ arriving }: Pick<Run, 'arriving'>): string | null {
  if (!arriving) return null
  const { recorded, done } = arriving
  return recorded < done
    ? `${recorded} of ${done} results are in the record, the rest follows. Items and exports are whole then.`
    : 'All results are in the record; what is computed from them follows.'
}
