import type { Seen } from './play-queue.ts'

/** A forecast is right if it is off by this part of the time, at most. */
export const mostError = 0.25

/**
 * How far an expected end was from the true one: as a part of the time that was left when it was asked, and of the whole time from the run's
 * first trial to its end. The first is never the smaller one. Null where no end was told: such a forecast is not right.
 */
export function errorOf(
  { began_s, asked_s, ended_s }: Pick<Seen, 'began_s' | 'asked_s' | 'ended_s'>,
  told_s: number | null,
): { ofLeft: number; ofWhole: number } | null {
  if (told_s === null) return null
  const off = Math.abs(told_s - ended_s)
  return { ofLeft: off / (ended_s - asked_s), ofWhole: off / (ended_s - began_s) }
}

/** Whether an end was told, and was off by a quarter of the time left at most. */
export const isRight = (seen: Seen, told_s: number | null): boolean =>
  (errorOf(seen, told_s)?.ofLeft ?? Number.POSITIVE_INFINITY) <= mostError
