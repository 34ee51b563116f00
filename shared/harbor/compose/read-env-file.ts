import { fillIn } from './fill-in.ts'
import { type Read, wrong } from './service-values.ts'

/** A name at the beginning of a line and the sign after it, as `NAME=`, `NAME:` or a name alone, with `export` before it or not. */
const named = /(?:export[^\S\n]+)?([\p{L}\p{N}_.[\]]+)[^\S\n]*([=:\n])[^\S\n]*/uy
const between = /(?:\s|#[^\n]*)*/y
const escapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  $: '$$',
  '"': '"',
  '\\': '\\',
}

/**
 * Reads a file of variables as Compose does: `NAME=value` a line, `#` begins a comment, single quotes are taken as they are, in double quotes `\n` and its like
 * mean something, and without quotes or in double ones variables are filled in: those of `variables`, then those before in the file. A name alone is one of
 * `variables`, and left out where nobody set it. Source: compose-go 2.2.0, `dotenv`; as in compose files a variable that is set nowhere is refused.
 */
export function readEnvFile(file: string, variables: ReadonlyMap<string, string>): Read<Record<string, string>> {
  const text = file.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
  const found = new Map<string, string>()
  for (let at = skip(text, 0); at < text.length; at = skip(text, at)) {
    named.lastIndex = at
    const [whole, name = '', sign] = named.exec(text) ?? []
    if (whole === undefined) return wrong(`line ${lineOf(text, at)} is no NAME=value`)
    const inherited = sign === '\n' ? variables.get(name) : undefined
    if (inherited !== undefined) found.set(name, inherited)
    at += whole.length
    if (sign === '\n') continue
    const value = valueAt(text, at)
    if (value === null) return wrong(`the quotation in line ${lineOf(text, at)} does not end`)
    const filled = value.literal ? value : fillIn(value.text, new Map([...found, ...variables]))
    if ('ok' in filled && !filled.ok) return wrong(`line ${lineOf(text, at)}: ${filled.text}`)
    found.set(name, filled.text)
    at = value.end
  }
  return { ok: true, value: Object.fromEntries(found) }
}

function skip(text: string, at: number): number {
  between.lastIndex = at
  return at + (between.exec(text)?.[0].length ?? 0)
}

const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length

/** The value that begins at `at`: its text, whether variables stay in it as they are, and where what comes after it begins. Null: a quotation without an end. */
function valueAt(text: string, at: number): { text: string; literal: boolean; end: number } | null {
  const quote = text[at]
  if (quote !== '"' && quote !== "'") {
    const end = text.indexOf('\n', at)
    const line = text.slice(at, end < 0 ? text.length : end)
    return { text: line.split(' #')[0]!.trimEnd(), literal: false, end: at + line.length }
  }
  let inside = ''
  for (let next = at + 1; next < text.length; next++) {
    if (text[next] === quote) return { text: quote === '"' ? unescaped(inside) : inside, literal: quote === "'", end: next + 1 }
    if (text[next] === '\\' && next + 1 < text.length) {
      next++
      inside += text[next] === quote ? quote : `\\${text[next]}`
    } else inside += text[next]
  }
  return null
}

const unescaped = (text: string): string => text.replace(/\\([abfnrtv$"\\])/g, (_, sign: string) => escapes[sign]!)
