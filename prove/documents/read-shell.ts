/** One simple command of a script: its variables, its words without quotes, and its line in the script from 0. */
export type ShellCommand = { variables: Readonly<Record<string, string>>; words: readonly string[]; line: number }

type Token = { kind: 'word' | 'end'; text: string; line: number; quoted: boolean }

const opening = new Set(['do', 'then', 'else', 'if', 'while', 'until', '{', '!', 'time', 'exec'])
const closing = new Set(['done', 'fi', '}', 'esac'])

/**
 * Reads a POSIX script as far as documents write such: quotes, comments, line continuation, pipes, lists, loops, redirections and commands within `$(…)`,
 * which are commands as well. Nothing is expanded.
 */
export function readShell(script: string): ShellCommand[] {
  const inner: ShellCommand[] = []
  const commands: ShellCommand[] = []
  let words: Token[] = []
  const flush = () => {
    const command = commandOf(words)
    if (command) commands.push(command)
    words = []
  }
  for (const token of tokensOf(script, inner)) {
    if (token.kind === 'end') flush()
    else words.push(token)
  }
  flush()
  return [...commands, ...inner].toSorted((a, b) => a.line - b.line)
}

function commandOf(tokens: readonly Token[]): ShellCommand | null {
  let at = 0
  while (at < tokens.length && !tokens[at]!.quoted && opening.has(tokens[at]!.text)) at++
  const [first] = tokens.slice(at)
  if (!first || (!first.quoted && (closing.has(first.text) || first.text === 'for'))) return null
  const variables: Record<string, string> = {}
  for (; at < tokens.length; at++) {
    const [, name, value = ''] = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s.exec(tokens[at]!.text) ?? []
    if (name === undefined) break
    variables[name] = value
  }
  return { variables, words: tokens.slice(at).map(({ text }) => text), line: first.line }
}

function* tokensOf(script: string, inner: ShellCommand[]): Generator<Token> {
  let line = 0
  let word = ''
  let began = false
  let quoted = false
  let skips = false // the word behind `>` is a file
  const take = function* (): Generator<Token> {
    if (began && !skips) yield { kind: 'word', text: word, line: line - word.split('\n').length + 1, quoted }
    if (began) skips = false
    word = ''
    began = quoted = false
  }
  for (let at = 0; at < script.length; at++) {
    const sign = script[at]!
    if (sign === '\n') {
      yield* take()
      yield { kind: 'end', text: sign, line, quoted: false }
      line++
    } else if (sign === '\\') {
      if (script[at + 1] === '\n') line++
      else {
        word += script[at + 1] ?? ''
        began = true
      }
      at++
    } else if (sign === "'" || sign === '"') {
      const { text, end } = quotedAt(script, at, inner, line)
      word += text
      began = quoted = true
      line += script.slice(at, end).split('\n').length - 1
      at = end
    } else if (sign === '$' && script[at + 1] === '(') {
      const end = closeOf(script, at + 2)
      inner.push(...readShell(script.slice(at + 2, end)).map((command) => ({ ...command, line: command.line + line })))
      word += script.slice(at, end + 1)
      began = true
      at = end
    } else if (sign === '#' && !began) {
      while (script[at + 1] !== undefined && script[at + 1] !== '\n') at++
    } else if (/\s/.test(sign)) yield* take()
    else if (/[|&;()]/.test(sign)) {
      yield* take()
      yield { kind: 'end', text: sign, line, quoted: false }
    } else if (sign === '>' || sign === '<') {
      if (/^\d$/.test(word)) {
        word = ''
        began = false
      }
      yield* take()
      while (script[at + 1] === sign || script[at + 1] === '&') at++
      skips = true
    } else {
      word += sign
      began = true
    }
  }
  yield* take()
}

/** The text between quotes and where they end; commands within double quotes are found too. */
function quotedAt(script: string, start: number, inner: ShellCommand[], line: number): { text: string; end: number } {
  const quote = script[start]!
  let text = ''
  for (let at = start + 1; at < script.length; at++) {
    if (script[at] === quote) return { text, end: at }
    if (quote === '"' && script[at] === '\\' && /["\\$`\n]/.test(script[at + 1] ?? '')) text += script[++at]
    else if (quote === '"' && script[at] === '$' && script[at + 1] === '(') {
      const end = closeOf(script, at + 2)
      inner.push(...readShell(script.slice(at + 2, end)).map((command) => ({ ...command, line: command.line + line })))
      text += script.slice(at, end + 1)
      at = end
    } else text += script[at]
  }
  throw new Error(`a quote (${quote}) is never closed: ${script.slice(start, start + 60)}`)
}

function closeOf(script: string, from: number): number {
  for (let at = from, depth = 1; at < script.length; at++) {
    if (script[at] === '(') depth++
    if (script[at] === ')' && --depth === 0) return at
  }
  throw new Error(`$( is never closed: ${script.slice(from - 2, from + 60)}`)
}
