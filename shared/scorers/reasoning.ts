import { lstrip } from '../python/text.ts'

const closing = /<\/(?:mm:)?think(?:ing)?>/gi
const opening = /<(?:mm:)?think(?:ing)?>/i

/**
 * The part of a model's answer that is scored (reference 0.3): what follows the last closing think tag, without leading whitespace;
 * nothing when reasoning was opened and never closed; otherwise the text byte for byte.
 */
export function scoringInput(text: string): { text: string; truncated_reasoning: boolean } {
  if (!text.includes('<')) return { text, truncated_reasoning: false } // as nearly always
  let end = -1
  for (const match of text.matchAll(closing)) end = match.index + match[0].length
  if (end >= 0) return { text: lstrip(text.slice(end)), truncated_reasoning: false }
  if (opening.test(text)) return { text: '', truncated_reasoning: true }
  return { text, truncated_reasoning: false }
}
