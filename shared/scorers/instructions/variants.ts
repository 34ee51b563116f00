import { strip } from '../../python/text.ts'

/** Whether a text has nothing but Python whitespace; such a text follows no instruction. */
export function isBlank(text: string): boolean {
  return strip(text) === ''
}

/**
 * The texts on which the loose verdict is taken, each once and none blank (reference 5.2): the response, without its first line, without its
 * last, without both, and each of them without asterisks. Lines end at LF only; what is left of removed lines is stripped.
 */
export function looseVariants(response: string): string[] {
  const lines = response.split('\n')
  const whole = [response, strip(lines.slice(1).join('\n')), strip(lines.slice(0, -1).join('\n')), strip(lines.slice(1, -1).join('\n'))]
  const plain = whole.map((text) => text.replaceAll('*', ''))
  return [...new Set([...whole, ...plain])].filter((text) => !isBlank(text))
}
