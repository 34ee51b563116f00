import { createRedactor, formsOf, shortestSecret, spelledChars } from './redactor.ts'

/** Takes the next part of a text and gives what of it may be shown: clean, and without an end that may be the beginning of a secret. */
export type GrowingRedactor = (part: string) => string

/**
 * Makes cleaners of texts that come in parts, each for one text: a secret that is split between two parts does not get out. Together the parts
 * they give are what the redactor makes of the whole, but for the end that is still held back.
 */
export function createGrowingRedactor(secrets: readonly string[]): () => GrowingRedactor {
  const redact = createRedactor(secrets)
  const heldBack = createHold(secrets)
  return () => {
    let held = ''
    return (part) => {
      const text = redact(held + part)
      const keep = heldBack(text)
      held = text.slice(text.length - keep)
      return text.slice(0, text.length - keep)
    }
  }
}

/** An escape that may not have ended: as long as one is, escaped again and again. */
const begunEscape = /^(?:[%\\&][%\\&#;{}0-9A-Za-z]{0,40})?$/
/** An escaped character is looked for so many units before the end of a text. */
const longestEscape = 16

/** How many units at the end of a text may be the beginning of a secret, in any way of writing it. */
function createHold(secrets: readonly string[]): (text: string) => number {
  const known = [...new Set(secrets)].filter((secret) => secret.length >= shortestSecret)
  const forms = [...new Set(known.flatMap(formsOf))]
  const spelled = known.map((secret) => spelledChars(secret).map((char) => new RegExp(char, 'y')))
  return (text) => {
    let keep = 0
    for (const form of forms) {
      let length = Math.min(form.length - 1, text.length)
      while (length > keep && !text.endsWith(form.slice(0, length))) length--
      keep = Math.max(keep, length)
    }
    for (const chars of spelled) {
      const end = text.slice(-chars.length * longestEscape)
      if (/[%\\&]/.test(end)) keep = Math.max(keep, begunAtEnd(end, chars))
    }
    return keep
  }
}

/** How many units at the end of a text spell the beginning of these characters, the last of them perhaps not to its end. */
function begunAtEnd(text: string, chars: readonly RegExp[]): number {
  for (let from = 0; from < text.length; from++) {
    let at = from
    for (const char of chars) {
      char.lastIndex = at
      if (!char.test(text)) break
      at = char.lastIndex
    }
    if (begunEscape.test(text.slice(at))) return text.length - from
  }
  return 0
}
