import { codePoints, strip } from '../../python/text.ts'
import { holds, shareHeld, type Version } from './phrases.ts'

/**
 * How good an answer is where its benchmark has no measure of its own: 0 for an empty one; an expected answer found or not; else the share of keywords
 * found. Where nothing is expected the official measure gives 0.7 for more than ten characters and 0.3 for fewer; `v2` gives the same.
 */
export function plainQuality(
  text: string,
  expected: { answer?: string | undefined; keywords?: readonly string[] | undefined },
  version: Version,
): number {
  if (strip(text) === '') return 0
  if (expected.answer !== undefined) return holds(text, expected.answer, version) ? 1 : 0
  if (expected.keywords && expected.keywords.length > 0) return shareHeld(text, expected.keywords, version)
  return codePoints(strip(text)).length > 10 ? 0.7 : 0.3
}
