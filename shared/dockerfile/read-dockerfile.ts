import { fillVariables, splitRaw } from './words.ts'

/** A here-document of an instruction. `expands`: variables in `text` are filled in. `raw`: the lines as they stand, leading tabs kept. */
export type Heredoc = { word: string; name: string; expands: boolean; text: string; raw: string }
/** A flag such as `--from=x`; without a value `value` is ''. */
export type Flag = { name: string; value: string }

/** One instruction: its name in capitals, the line where it begins, and the text behind its flags as one line. */
export type Instruction = { name: string; line: number; flags: readonly Flag[]; rest: string; heredocs: readonly Heredoc[] }

/** A Dockerfile in its parts. `escapeMark`: `\` or a back quote; `syntax`: the frontend that it names. */
export type Dockerfile = { escapeMark: string; syntax: string | null; instructions: readonly Instruction[] }

/** Why a line of a Dockerfile is not taken. */
export type LineProblem = { line: number; text: string }
export type ReadDockerfile = { ok: true; dockerfile: Dockerfile } | { ok: false; problem: LineProblem }

const withHeredocs: readonly string[] = ['ADD', 'COPY', 'RUN']
const emptyVariables = { values: new Map<string, string>(), complete: true }

/**
 * Reads a Dockerfile as BuildKit does: byte order mark, directives, continued lines, comments between them, flags, here-documents. Never throws. Source:
 * Docker's Dockerfile reference.
 */
export function readDockerfile(text: string): ReadDockerfile {
  const lines = text.replace(/^\uFEFF/, '').split('\n')
  const { escapeMark, syntax, directives } = readDirectives(lines)
  const continued = escapeMark === '\\' ? /(^|[^\\])\\[ \t]*$/ : /(^|[^`])`[ \t]*$/
  const instructions: Instruction[] = []
  for (let at = directives; at < lines.length; ) {
    const line = at + 1
    let whole = plain(lines[at++]!).trimStart()
    if (whole === '' || whole.startsWith('#')) continue
    while (continued.test(whole)) {
      whole = whole.replace(continued, '$1')
      while (at < lines.length && /^\s*(#.*)?$/.test(plain(lines[at]!))) at++
      if (at >= lines.length) break
      whole += plain(lines[at++]!)
    }
    if (whole.trim() === '') continue
    const instruction = readInstruction(whole, line, escapeMark)
    const found: Heredoc[] = []
    if (withHeredocs.includes(nameBehindOnbuild(instruction))) {
      for (const opened of heredocsOf(instruction.rest)) {
        const end = lines.findIndex(
          (one, index) => index >= at && (opened.chomps ? plain(one).replace(/^\t+/, '') : plain(one)) === opened.name,
        )
        if (end < 0) return { ok: false, problem: { line, text: `the here-document ${opened.name} does not end` } }
        const raw = lines
          .slice(at, end)
          .map((one) => `${one}\n`)
          .join('')
        found.push({ ...opened, raw, text: opened.chomps ? raw.replace(/^\t+/gm, '') : raw })
        at = end + 1
      }
    }
    instructions.push({ ...instruction, heredocs: found })
  }
  return { ok: true, dockerfile: { escapeMark, syntax, instructions } }
}

const plain = (line: string): string => line.replace(/\r+$/, '')

/** Directives are comments `# name=value` before everything else. */
function readDirectives(lines: readonly string[]): { escapeMark: string; syntax: string | null; directives: number } {
  const found = new Map<string, string>()
  let at = 0
  // A frontend may be named behind the first line of a script.
  if (/^#!/.test(lines[0] ?? '')) at++
  for (; at < lines.length; at++) {
    const [, name, value] = /^\s*#\s*([A-Za-z][A-Za-z0-9]*)\s*=\s*(.+?)\s*$/.exec(plain(lines[at]!)) ?? []
    if (name === undefined || value === undefined || found.has(name.toLowerCase())) break
    found.set(name.toLowerCase(), value)
  }
  return { escapeMark: found.get('escape') === '`' ? '`' : '\\', syntax: found.get('syntax') ?? null, directives: at }
}

/** Parts a line into its instruction's name, its flags and the rest. */
export function readInstruction(line: string, at: number, escapeMark: string): Instruction {
  const [, name = '', behind = ''] = /^\s*(\S+)\s*([\s\S]*)$/.exec(line) ?? []
  const flags: Flag[] = []
  let rest = behind.trim()
  for (;;) {
    const [word = ''] = splitRaw(rest, escapeMark)
    if (!word.startsWith('--')) break
    rest = rest.slice(word.length).trimStart()
    if (word === '--') break
    const [, flag = '', value = ''] = /^--([^=]*)=?([\s\S]*)$/.exec(word) ?? []
    flags.push({ name: flag, value: value.replaceAll(/^(["'])(.*)\1$/gs, '$2') })
  }
  return { name: name.toUpperCase(), line: at, flags, rest, heredocs: [] }
}

const nameBehindOnbuild = ({ name, rest }: Instruction): string =>
  name === 'ONBUILD' ? (/^\S+/.exec(rest)?.[0] ?? '').toUpperCase() : name

/** The here-documents that a line opens, in its order. Source: BuildKit's grammar of them, `[number]<<[-]word`. */
function heredocsOf(rest: string): { word: string; name: string; expands: boolean; chomps: boolean }[] {
  if (!rest.includes('<<')) return []
  return splitRaw(rest, '\\').flatMap((word) => {
    const [, chomp = '', name = ''] = /^\d*<<(-?)([^<]+)$/.exec(word) ?? []
    const filled = name === '' ? null : fillVariables(name, emptyVariables, { escapeMark: '\\', quotes: true })
    if (!filled?.ok || filled.text === '') return []
    return [{ word, name: filled.text, expands: !/['"]/.test(name), chomps: chomp === '-' }]
  })
}

/** The strings of a list in JSON; null where it is none. */
export function readList(text: string): string[] | null {
  try {
    const read: unknown = JSON.parse(text)
    return Array.isArray(read) && read.every((one) => typeof one === 'string') ? read : null
  } catch {
    return null
  }
}
