import type { Blocks } from '../contract/blocks.ts'

/** What there is to say of an agent's standstills; null where there were none. */
export function blocksText(blocks: Blocks | null): string | null {
  if (!blocks?.count) return null
  const times = blocks.count === 1 ? 'once' : `${blocks.count} times`
  const longest = blocks.longest_ms < 1000 ? `${blocks.longest_ms} ms` : `${(blocks.longest_ms / 1000).toFixed(1)} s`
  return `paused ${times} in 10 min (longest ${longest})`
}
