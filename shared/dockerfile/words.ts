/** Variables as a Dockerfile sees them. `complete`: false where variables of an unknown image may stand beside them. */
export type Variables = { values: ReadonlyMap<string, string>; complete: boolean }

/** A text with its variables filled in. `unknown`: names whose value only the image knows. */
export type Filled = { ok: true; text: string; unknown: readonly string[] } | { ok: false; text: string }

/** How a text is read: as a word of a line, or as the text of a here-document, where quotation marks mean nothing. */
export type Reading = { escapeMark: string; quotes: boolean }

class Unreadable extends Error {}

/**
 * Fills in the variables of a word and takes its quotation marks and escapes away, as BuildKit's lexer does. Source: Docker's Dockerfile reference, "Environment
 * replacement". A pattern after the name, as in `${NAME#pattern}`, is refused.
 */
export function fillVariables(text: string, variables: Variables, { escapeMark, quotes }: Reading): Filled {
  const unknown = new Set<string>()
  let at = 0
  const look = (name: string): string | undefined => {
    const value = variables.values.get(name)
    if (value === undefined && !variables.complete) unknown.add(name)
    return value
  }
  const braced = (): string => {
    const [, name = ''] = /^\{([A-Za-z_][A-Za-z0-9_]*)/.exec(text.slice(at)) ?? []
    if (name === '') throw new Unreadable('a variable in braces has no name')
    at += name.length + 1
    if (text[at] === '}') {
      at++
      return look(name) ?? ''
    }
    const [operator = ''] = /^:?[-+?]/.exec(text.slice(at)) ?? []
    if (operator === '') throw new Unreadable(`\${${name}…} is written in a way that is not read here`)
    at += operator.length
    const word = until('}')
    at++
    const value = look(name)
    const isSet = operator.startsWith(':') ? value !== undefined && value !== '' : value !== undefined
    if (operator.endsWith('+')) return isSet ? word : ''
    if (operator.endsWith('?') && !isSet) throw new Unreadable(`${name} has no value`)
    return isSet ? value! : word
  }
  const dollar = (): string => {
    at++
    if (text[at] === '{') return braced()
    const [name = ''] = /^(?:[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?!$-])/.exec(text.slice(at)) ?? []
    at += name.length
    return name === '' ? '$' : (look(name) ?? '')
  }
  const quoted = (mark: string): string => {
    at++
    let told = ''
    while (text[at] !== mark) {
      if (at >= text.length) throw new Unreadable('a quotation does not end')
      if (mark === '"' && text[at] === '$') told += dollar()
      else {
        if (mark === '"' && text[at] === escapeMark && [mark, '$', escapeMark].includes(text[at + 1] ?? '')) at++
        told += text[at++] ?? ''
      }
    }
    at++
    return told
  }
  const until = (end: string): string => {
    let told = ''
    while (text[at] !== end) {
      if (at >= text.length) {
        if (end === '') return told
        throw new Unreadable('a variable in braces does not end')
      }
      const character = text[at]!
      if (character === '$') told += dollar()
      else if (quotes && (character === "'" || character === '"')) told += quoted(character)
      else if (character === escapeMark) {
        told += text[at + 1] ?? ''
        at += 2
      } else {
        told += character
        at++
      }
    }
    return told
  }
  try {
    return { ok: true, text: until(''), unknown: [...unknown] }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return { ok: false, text: error.message }
  }
}

/** The words of a line between white space, their quotation marks and escapes kept. */
export function splitRaw(line: string, escapeMark: string): string[] {
  const words: string[] = []
  let word = ''
  let mark = ''
  for (let at = 0; at < line.length; at++) {
    const character = line[at]!
    if (mark === '' && /\s/.test(character)) {
      if (word !== '') words.push(word)
      word = ''
      continue
    }
    word += character
    if (character === escapeMark && mark !== "'") word += line[++at] ?? ''
    else if (mark === '' && (character === "'" || character === '"')) mark = character
    else if (character === mark) mark = ''
  }
  return word === '' ? words : [...words, word]
}
