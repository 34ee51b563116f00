/** What messages.properties of langdetect says about characters. */
export type Messages = {
  /** Characters of Latin-1 Supplement that count as a space. */
  latin1Excluded: ReadonlySet<string>
  /** Han characters and the character that stands for their class. */
  kanjiClass: ReadonlyMap<string, string>
  /** Letter followed by a combining mark, and the Vietnamese letter that it makes. */
  composed: ReadonlyMap<string, string>
  /** Finds the keys of `composed`. */
  composable: RegExp
}

/** Marks in the order of DMARK_CLASS; each has its line of composed letters. */
const marks = ['0300', '0301', '0303', '0309', '0323']

/** Reads messages.properties; throws when a line that is needed is missing. */
export function parseMessages(text: string): Messages {
  const lines = new Map<string, string>()
  for (const line of text.split('\n')) {
    const [key, value] = split(line.trim())
    lines.set(
      key,
      value.replace(/\\u([0-9A-Fa-f]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    )
  }
  const get = (key: string): string => {
    const found = lines.get(key)
    if (!found) throw new Error(`messages.properties of langdetect has no ${key}`)
    return found
  }
  const kanjiClass = new Map<string, string>()
  for (const [key, chars] of lines) if (key.startsWith('NGram.KANJI_')) for (const char of chars) kanjiClass.set(char, chars[0]!)
  const letters = [...get('TO_NORMALIZE_VI_CHARS')]
  const combining = [...get('DMARK_CLASS')]
  const composed = new Map<string, string>()
  for (const [i, mark] of combining.entries()) {
    const made = [...get(`NORMALIZED_VI_CHARS_${marks[i]}`)]
    for (const [j, letter] of letters.entries()) composed.set(letter + mark, made[j]!)
  }
  const composable = new RegExp(`[${letters.join('')}][${combining.join('')}]`, 'gu')
  return { latin1Excluded: new Set(get('NGram.LATIN1_EXCLUDE')), kanjiClass, composed, composable }
}

function split(line: string): [string, string] {
  const at = line.indexOf('=')
  return at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1)]
}
