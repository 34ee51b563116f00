/** One change: lines that stand there before (`old`) and after (`fresh`); `start` is the line it begins at, from 1, null where none is named. */
export type Hunk = {
  start: number | null
  old: string[]
  fresh: string[]
  /** Whether the last line of a side is said to end without a newline. */
  oldOpen: boolean
  freshOpen: boolean
  /** Whether it takes any line away. */
  removes: boolean
  /** Whether the last line of both sides is the same one, unchanged. */
  endsInContext: boolean
}

/** What a diff says of one file. A path is null for `/dev/null`: the file is made, or taken away. */
export type FileDiff = { before: string | null; after: string | null; hunks: Hunk[] }

/** A diff that was read, or what is wrong with it, as a sentence. */
export type Parsed = { ok: true; files: FileDiff[] } | { ok: false; fault: string }

class Fault extends Error {}

const hunkHeader = /^@@(?: -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@.*|.*)$/
const refused: readonly [RegExp, string][] = [
  [/^(rename|copy) (from|to) /, 'renames or copies a file; delete and add it instead'],
  [/^(new file mode|new mode|deleted file mode|old mode) (120000|160000)/, 'makes a link'],
  [/^(GIT binary patch|Binary files )/, 'holds a binary change'],
]

/**
 * Reads a unified diff. Wrong counts in `@@` lines are counted anew, an empty line counts as an empty line of context, and text before the `---` of a file is
 * passed over. Anything else that is no unified diff is a fault.
 */
export function parseDiff(text: string): Parsed {
  const raw = text.split('\n')
  if (raw.at(-1) === '') raw.pop()
  const lines = raw.length > 0 && raw.every((line) => line.endsWith('\r')) ? raw.map((line) => line.slice(0, -1)) : raw
  const files: FileDiff[] = []
  try {
    let at = 0
    while (at < lines.length) {
      const line = lines[at]!
      const fault = refused.find(([pattern]) => pattern.test(line))
      if (fault) throw new Fault(`The diff ${fault[1]} (line ${at + 1}).`)
      if (!opensFile(lines, at)) {
        if (line.startsWith('@@')) throw new Fault(`Line ${at + 1} of the diff begins a change, but no file is named before it.`)
        at += 1
        continue
      }
      const read = readFile(lines, at)
      files.push(read.file)
      at = read.next
    }
  } catch (error) {
    if (error instanceof Fault) return { ok: false, fault: error.message }
    throw error
  }
  return files.length > 0 ? { ok: true, files } : { ok: false, fault: 'The diff names no file: there is no pair of --- and +++ lines.' }
}

const opensFile = (lines: readonly string[], at: number): boolean =>
  lines[at]!.startsWith('--- ') && (lines[at + 1]?.startsWith('+++ ') ?? false)

/** Where what belongs to a hunk must end. A removed line that begins with `-- ` looks like a file's name: its pair tells them apart. */
const endsHunk = (lines: readonly string[], at: number): boolean =>
  lines[at]!.startsWith('@@') || lines[at]!.startsWith('diff --git ') || opensFile(lines, at)

function readFile(lines: readonly string[], at: number): { file: FileDiff; next: number } {
  const names = [lines[at]!.slice(4), lines[at + 1]!.slice(4)].map((name) => name.split('\t')[0]!.trimEnd())
  const [before, after] = withoutPrefixes(names as [string, string]) // two were put in
  if (before === null && after === null) throw new Fault(`Line ${at + 1} of the diff names no file.`)
  const hunks: Hunk[] = []
  let next = at + 2
  while (next < lines.length && lines[next]!.startsWith('@@')) {
    const read = readHunk(lines, next)
    hunks.push(read.hunk)
    next = read.next
  }
  if (hunks.length === 0 && !(next < lines.length && /^(diff --git |--- )/.test(lines[next]!)) && after !== null)
    throw new Fault(`The diff of ${after} has no @@ line.`)
  return { file: { before, after, hunks }, next }
}

/** `a/` and `b/` are taken off where both names have them, or the one that there is. */
function withoutPrefixes([before, after]: [string, string]): [string | null, string | null] {
  const [from, to] = [before, after].map((name) => (name === '/dev/null' ? null : name)) as [string | null, string | null] // one for each
  const prefixed = (from === null || from.startsWith('a/')) && (to === null || to.startsWith('b/'))
  return prefixed ? [from?.slice(2) ?? null, to?.slice(2) ?? null] : [from, to]
}

function readHunk(lines: readonly string[], at: number): { hunk: Hunk; next: number } {
  const [, start, oldCount = '1', , freshCount = '1'] = hunkHeader.exec(lines[at]!) ?? []
  const counted = start === undefined ? null : countedEnd(lines, at + 1, Number(oldCount), Number(freshCount))
  const end = counted ?? boundary(lines, at + 1)
  return { hunk: hunkOf(lines, at + 1, end, start === undefined ? null : Number(start)), next: boundary(lines, end) }
}

/** Where a hunk ends by its own counts; null where they do not lead to an end of it. */
function countedEnd(lines: readonly string[], from: number, old: number, fresh: number): number | null {
  let at = from
  let [oldLeft, freshLeft] = [old, fresh]
  while (at < lines.length && (oldLeft > 0 || freshLeft > 0)) {
    const mark = lines[at]![0] ?? ' '
    if (mark === '-' || mark === ' ') oldLeft -= 1
    if (mark === '+' || mark === ' ') freshLeft -= 1
    if (!'-+ \\'.includes(mark)) return null
    at += 1
  }
  if (lines[at]?.startsWith('\\')) at += 1
  if (oldLeft !== 0 || freshLeft !== 0) return null
  let rest = at
  while (rest < lines.length && lines[rest]!.trim() === '') rest += 1
  return rest === lines.length || endsHunk(lines, rest) ? at : null
}

/** The next line that begins something else; empty lines before it belong to nothing. */
function boundary(lines: readonly string[], from: number): number {
  let at = from
  while (at < lines.length && !endsHunk(lines, at)) at += 1
  return at
}

function hunkOf(lines: readonly string[], from: number, end: number, start: number | null): Hunk {
  let last = end
  while (last > from && lines[last - 1]! === '') last -= 1
  const hunk: Hunk = { start, old: [], fresh: [], oldOpen: false, freshOpen: false, removes: false, endsInContext: false }
  let mark = ''
  for (let at = from; at < last; at += 1) {
    const line = lines[at]!
    if (line.startsWith('\\')) {
      if (mark === '') throw new Fault(`Line ${at + 1} of the diff marks the end of no line.`)
      if (mark !== '+') hunk.oldOpen = true
      if (mark !== '-') hunk.freshOpen = true
      continue
    }
    mark = line[0] ?? ' '
    if (!'-+ '.includes(mark)) throw new Fault(`Line ${at + 1} of the diff begins with none of "+", "-" and a space.`)
    if ((mark !== '+' && hunk.oldOpen) || (mark !== '-' && hunk.freshOpen))
      throw new Fault(`Line ${at + 1} of the diff follows one that is said to be the last of its file.`)
    if (mark !== '+') hunk.old.push(line.slice(1))
    if (mark !== '-') hunk.fresh.push(line.slice(1))
    hunk.removes ||= mark === '-'
    hunk.endsInContext = mark === ' '
  }
  if (hunk.old.length + hunk.fresh.length === 0) throw new Fault(`The change at line ${from} of the diff is empty.`)
  return hunk
}
