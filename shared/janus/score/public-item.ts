import { codePoints, pySpace, strip } from '../../python/text.ts'
import { shareHeld, type Version } from './phrases.ts'
import { meanOrZero } from './ramp.ts'

/** What a public item expects of an answer in words. */
export type PublicFacts = {
  contains?: readonly string[]
  must_cover?: readonly string[]
  min_length?: number
  max_latency_ms?: number
  requires_citations?: boolean
  min_sources?: number
}

const address = new RegExp(`https?://[^${pySpace})\\]]+`, 'gu')
const mark = /\[(\p{Nd}+)\]/gu

/** Addresses and marks like [1] in an answer; `v2` counts each once. */
function citationsIn(text: string, version: Version): number {
  const found = [...text.matchAll(address), ...text.matchAll(mark)].map(([one]) => one)
  return version === 'v1' ? found.length : new Set(found).size
}

/**
 * A public answer in words: the mean of what its item asks for (phrases, topics, length, time, sources), 1 where it asks for nothing, 0 for an empty one.
 * Sources are asked for where `sourced`, as of research.
 */
export function publicScore(facts: PublicFacts, text: string, latency_ms: number | null, sourced: boolean, version: Version): number {
  const parts = wordParts(facts, text, latency_ms, version)
  const empty = strip(text) === ''
  if (!sourced) return empty ? 0 : parts.length === 0 ? 1 : meanOrZero(parts)
  const least = (facts.min_sources ?? 0) > 0 ? facts.min_sources! : facts.requires_citations ? 1 : 0
  if (version === 'v2' && empty) return 0
  if (least > 0) return meanOrZero([...(empty ? [] : parts), Math.min(1, citationsIn(text, version) / least)])
  return empty ? 0 : parts.length === 0 ? 1 : meanOrZero(parts)
}

function wordParts(facts: PublicFacts, text: string, latency_ms: number | null, version: Version): number[] {
  const parts: number[] = []
  if (facts.contains && facts.contains.length > 0) parts.push(shareHeld(text, facts.contains, version))
  if (facts.must_cover && facts.must_cover.length > 0) parts.push(shareHeld(text, facts.must_cover, version))
  if ((facts.min_length ?? 0) > 0) parts.push(Math.min(1, codePoints(text).length / facts.min_length!))
  if ((facts.max_latency_ms ?? 0) > 0 && latency_ms !== null) parts.push(Math.min(1, facts.max_latency_ms! / latency_ms))
  return parts
}
