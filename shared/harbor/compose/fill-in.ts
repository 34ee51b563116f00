/** A text of a compose file with its variables filled in, or what is wrong with one of them. */
export type Filled = { ok: true; text: string } | { ok: false; text: string }

const reference = /\$(?:(\$)|([A-Za-z_]\w*)|\{([A-Za-z_]\w*)(?:(:?[-?+])([^{}]*))?\}|)/g

/**
 * Fills in variables as Compose does (`$NAME`, `${NAME}`, `${NAME:-else}`, `${NAME?message}`, `${NAME:+instead}`, `$$`), but that a name which nobody set is
 * refused in place of being empty: nothing of the host's environment is looked at.
 */
export function fillIn(text: string, variables: ReadonlyMap<string, string>): Filled {
  let wrong: string | null = null
  const filled = text.replace(reference, (all, dollar?: string, bare?: string, braced?: string, how?: string, other = '') => {
    if (dollar !== undefined) return '$'
    const name = bare ?? braced
    if (name === undefined) {
      wrong ??= `${all}… is no variable: write $$ for a dollar sign`
      return all
    }
    const value = variables.get(name)
    const set = value !== undefined && !(how?.startsWith(':') && value === '')
    if (how?.endsWith('+')) return set ? other : ''
    if (set) return value
    if (how?.endsWith('-')) return other
    wrong ??= how?.endsWith('?')
      ? `${name} is not set: ${other}`
      : `${name} is set nowhere: write it in [environment.env], or a value here as \${${name}:-value}`
    return all
  })
  return wrong === null ? { ok: true, text: filled } : { ok: false, text: wrong }
}

/** A command's text in words, as a POSIX shell splits it, without anything filled in. Null where a quotation does not end. */
export function splitWords(text: string): string[] | null {
  const words: string[] = []
  let word: string | null = null
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!
    if (/\s/.test(char)) {
      if (word !== null) words.push(word)
      word = null
    } else if (char === "'" || char === '"') {
      const end = closing(text, at)
      if (end < 0) return null
      const inside = text.slice(at + 1, end)
      word = (word ?? '') + (char === '"' ? inside.replace(/\\([\\"$`])/g, '$1') : inside)
      at = end
    } else if (char === '\\') {
      at++
      if (at >= text.length) return null
      word = (word ?? '') + text[at]!
    } else word = (word ?? '') + char
  }
  if (word !== null) words.push(word)
  return words
}

/** Where the quotation that begins at `at` ends; -1: nowhere. */
function closing(text: string, at: number): number {
  const quote = text[at]!
  for (let end = at + 1; end < text.length; end++) {
    if (text[end] === quote) return end
    if (text[end] === '\\' && quote === '"') end++
  }
  return -1
}
