import { byCount } from './by-count.mjs'

export function tally(text) {
  const counts = new Map()
  for (const [word] of text.toLowerCase().matchAll(/[a-z]+/g)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts].sort(byCount)
}
