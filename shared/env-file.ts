/** Variables of a `.env` file, or a sentence about the first line that cannot be read; it repeats no value, which may be a key. */
export type EnvFile = { ok: true; values: Record<string, string> } | { ok: false; message: string }

const assignment = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_.-]*)[^\S\n]*=[^\S\n]*(.*)$/
const yaml = /^\s*(?:-\s+)?["']?[A-Za-z_][A-Za-z0-9_.-]*["']?\s*:(?:\s|$)/
/** Nothing, or a comment, behind the closing quote of a value. */
const nothing = /^\s*(?:#.*)?$/

/**
 * Reads a `.env` file as people write it: UTF-8 with or without byte order marks, any line ends, `export`, quotes over several lines, comments behind a
 * space. A line that is none of these is refused with its number: it might have named the address that a key is for. `name` is how messages call the file.
 */
export function readEnvFile(bytes: Uint8Array, name: string): EnvFile {
  const text = decoded(bytes)
  if (!text.ok) return { ok: false, message: `${name} ${text.why}` }
  const lines = text.value.replaceAll('\uFEFF', '').split(/\r\n|\n|\r/)
  const values: Record<string, string> = {}
  const refused = (at: number, why: string): EnvFile => ({ ok: false, message: `Line ${at + 1} of ${name} ${why}` })
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!
    if (nothing.test(line)) continue
    const [, variable, written = ''] = assignment.exec(line) ?? []
    if (variable === undefined)
      return refused(
        at,
        yaml.test(line) ? 'is written as YAML; write NAME=value.' : 'cannot be read; write NAME=value, or # before a comment.',
      )
    const quote = /^["'`]/.exec(written)?.[0]
    if (quote === undefined) {
      values[variable] = written.replace(/(?:^|\s)#.*$/, '').trim()
      continue
    }
    const quoted = readQuoted(quote, written.slice(1), lines.slice(at + 1))
    if (quoted === null) return refused(at, `opens a quote (${quote}) that is never closed.`)
    if (!nothing.test(quoted.rest)) return refused(at, 'has more behind the closing quote of its value.')
    values[variable] = quote === '"' ? quoted.value.replaceAll(String.raw`\n`, '\n') : quoted.value
    at += quoted.more
  }
  return { ok: true, values }
}

/** The value up to its closing quote, how many further lines it has, and what follows on its last line; null where the quote is never closed. */
function readQuoted(quote: string, first: string, further: readonly string[]): { value: string; more: number; rest: string } | null {
  const parts = [first]
  for (let more = 0; ; more++) {
    const last = parts.at(-1)!
    const end = last.indexOf(quote)
    if (end >= 0) return { value: [...parts.slice(0, -1), last.slice(0, end)].join('\n'), more, rest: last.slice(end + 1) }
    const next = further[more]
    if (next === undefined) return null
    parts.push(next)
  }
}

function decoded(bytes: Uint8Array): { ok: true; value: string } | { ok: false; why: string } {
  const [first, second] = bytes
  const marked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  if (marked || bytes.includes(0)) return { ok: false, why: 'is UTF-16, which some editors call Unicode; save it as UTF-8.' }
  try {
    return { ok: true, value: new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes) }
  } catch {
    return { ok: false, why: 'is not UTF-8; save it as UTF-8.' }
  }
}
