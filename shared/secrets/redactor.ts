/** Stands where a secret stood. */
export const redactedMark = '[redacted]'

/** Set on records in whose texts a secret was found. */
export const redactedFlag = 'redacted'

/** Shorter ones are words that an answer may say by chance (`lm-studio`, `EMPTY`), and nobody's key. */
export const shortestSecret = 12

/** Everything shaped like a key of ours or of a known provider, and any bearer. */
export const keyShapes = /\b(?:cpk|cak|cbr|csc|sk|hf|gsk|xai|pk)[_-][A-Za-z0-9._-]{8,}|Bearer\s+[^\s"',}]+/g

/**
 * What can hardly be anything but a key: a known beginning and 16 letters and digits on end, some of each. Narrower than `keyShapes`, as texts of
 * people are refused for it: a model may be called `sk-learn-7b-instruct`. Bounded, so that a long text is looked through in one pass.
 */
const surelyKey =
  /\b(?:cpk|cak|cbr|csc|sk|hf|gsk|xai)[_-](?:[A-Za-z0-9]{0,64}[._-]){0,6}(?=[A-Za-z]{0,40}[0-9])(?=[0-9]{0,40}[A-Za-z])[A-Za-z0-9]{16,}[A-Za-z0-9._-]*/g

/** Whether somebody has put what is surely a key into a text. */
export const holdsKey = (text: string): boolean => text.search(surelyKey) !== -1

/** A text with the mark in place of what is surely a key. */
export const withoutKeys = (text: string): string => text.replace(surelyKey, redactedMark)

/**
 * Makes the cleaner of foreign texts: finds every secret of at least 12 characters as it is, reversed, in hex, in base64 and base64url of any
 * alignment, and spelled with percent signs, `\u` or `\x` escapes or HTML entities, and puts the mark there. A text without one comes back as
 * the same string. It looks at a text once, in steps of about the shortest form's length.
 */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const known = [...new Set(secrets)].filter((secret) => secret.length >= shortestSecret)
  if (known.length === 0) return (text) => text
  const replaceForms = createReplacer(known.flatMap(formsOf))
  const spelled = new RegExp(known.map(spelledPattern).join('|'), 'g')
  return (text) => {
    const plain = replaceForms(text)
    return hasEscapes.test(plain) ? plain.replace(spelled, redactedMark) : plain
  }
}

/** The cleaner of lines for logs: what the redactor finds, and everything that is shaped like a key. */
export function createLineRedactor(secrets: readonly string[]): (line: string) => string {
  const redact = createRedactor(secrets)
  return (line) => redact(line).replace(keyShapes, redactedMark)
}

const encoder = new TextEncoder()

/** How a secret may be written without any escape. */
export function formsOf(secret: string): string[] {
  const bytes = encoder.encode(secret)
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  const base64 = [0, 1, 2].map((offset) => base64Core(bytes, offset))
  const url = base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))
  return [secret, [...secret].reverse().join(''), hex, hex.toUpperCase(), ...base64, ...url]
}

/** The part of the base64 of a longer text that only these bytes decide, when `offset` bytes (modulo three) come before them. */
function base64Core(bytes: Uint8Array, offset: number): string {
  const text = btoa(`${'\0'.repeat(offset)}${String.fromCharCode(...bytes)}`)
  return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6))
}

/** Nearly no text has one of these; the pattern below is slow. */
const hasEscapes = /%[0-9A-Fa-f]{2}|\\[ux]|&(?:amp;)*#/

/** A pattern in which every character stands as itself or as any escape of it, also one that was escaped again. */
function spelledPattern(secret: string): string {
  return spelledChars(secret).join('')
}

/** The same pattern character by character. */
export function spelledChars(secret: string): string[] {
  return [...secret].map((char) => {
    const code = char.codePointAt(0)!
    const hex = code
      .toString(16)
      .padStart(2, '0')
      .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
    const itself = char.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
    return `(?:${itself}|%(?:25)*${hex}|\\\\+u\\{?0*${hex}\\}?|\\\\+x${hex}|&(?:amp;)*#0*${code};?|&(?:amp;)*#[xX]0*${hex};?)`
  })
}

const tableSize = 4096
const block = (text: string, end: number): number => (text.charCodeAt(end - 1) * 31 + text.charCodeAt(end)) & (tableSize - 1)

/**
 * Replaces every needle by the mark, after Wu and Manber: the last two characters of the window say how far the window may move, which
 * is nearly its whole width where they stand in no needle.
 */
function createReplacer(needles: readonly string[]): (text: string) => string {
  const width = Math.min(...needles.map((needle) => needle.length))
  const shifts = new Uint8Array(tableSize).fill(Math.min(255, width - 1))
  const endingIn = new Map<number, string[]>()
  for (const needle of needles) {
    for (let end = 1; end < width; end++) {
      const at = block(needle, end)
      shifts[at] = Math.min(shifts[at]!, width - 1 - end)
    }
    const last = block(needle, width - 1)
    endingIn.set(last, [...(endingIn.get(last) ?? []), needle])
  }
  return (text) => {
    let clean = ''
    let from = 0
    for (let end = width - 1; end < text.length; ) {
      const at = block(text, end)
      const shift = shifts[at]!
      if (shift > 0) {
        end += shift
        continue
      }
      const start = end - width + 1
      const found = endingIn.get(at)?.find((needle) => text.startsWith(needle, start))
      if (found) {
        clean += text.slice(from, start) + redactedMark
        from = start + found.length
        end = from + width - 1
      } else end++
    }
    return from === 0 ? text : clean + text.slice(from)
  }
}
