/** How many calls were sent in each tenth of the last second, newest last; `bucket` is the number of the newest tenth. */
export type SentWindow = { bucket: number; counts: readonly number[] }

const bucketMs = 100
const length = 11
const none: readonly number[] = new Array(length).fill(0)

export const emptyWindow: SentWindow = { bucket: 0, counts: none }

/** The window with one more call sent at `nowMs`. */
export function addSent(window: SentWindow, nowMs: number): SentWindow {
  const moved = moveTo(window, Math.floor(nowMs / bucketMs))
  return { bucket: moved.bucket, counts: moved.counts.with(-1, (moved.counts.at(-1) ?? 0) + 1) }
}

/** Calls sent in the second before `nowMs`; the oldest tenth counts by the part of it that lies inside. */
export function sentInSecond(window: SentWindow, nowMs: number): number {
  const { counts } = moveTo(window, Math.floor(nowMs / bucketMs))
  const inside = 1 - (nowMs % bucketMs) / bucketMs
  return counts.reduce((sum, count, index) => sum + (index === 0 ? count * inside : count), 0)
}

function moveTo(window: SentWindow, bucket: number): SentWindow {
  const gone = bucket - window.bucket
  if (gone <= 0) return window
  return { bucket, counts: gone >= length ? none : [...window.counts.slice(gone), ...none.slice(0, gone)] }
}
