import { type Files, isOfTests, pathFault } from '../catalogue-task.ts'
import { type FileDiff, type Hunk, parseDiff } from './parse-diff.ts'
import { type Lines, linesOfText, textOfLines } from './text-lines.ts'

/** A workspace with a diff applied, and whether it took the leniency to apply it; or why it does not apply, as a sentence. */
export type Applied = { ok: true; files: Files; rewritten: boolean } | { ok: false; fault: string }

class Refused extends Error {}

/**
 * Applies a unified diff to the texts of a workspace, all of it or nothing. What a hunk says stands before must be there exactly: at the line it names, or, where
 * it is not, at the only other place after the hunks before it. A file of CRLF lines keeps them whatever ends the diff's lines. Paths are those of the
 * workspace; nothing below `tests` may be named. `rewrite` allows two ways more: a file that the diff only adds lines to is written as the diff shows it, and
 * lines may differ in white space.
 */
export function applyDiff(workspace: Files, diff: string, options: { rewrite: boolean }): Applied {
  const parsed = parseDiff(diff)
  if (!parsed.ok) return parsed
  const files = new Map(Object.entries(workspace))
  let rewritten = false
  try {
    for (const file of parsed.files) rewritten = applyFile(files, file, options.rewrite) || rewritten
    checkFolders(files)
  } catch (error) {
    if (error instanceof Refused) return { ok: false, fault: error.message }
    throw error
  }
  return { ok: true, files: Object.fromEntries([...files].sort(([a], [b]) => (a < b ? -1 : 1))), rewritten }
}

/** Whether it took the leniency. */
function applyFile(files: Map<string, string>, { before, after, hunks }: FileDiff, rewrite: boolean): boolean {
  const path = before ?? after!
  for (const name of [before, after]) {
    if (name === null) continue
    const fault = pathFault(name)
    if (fault) throw new Refused(`The diff names a path that ${fault}: ${JSON.stringify(name.slice(0, 100))}.`)
    if (isOfTests(name)) throw new Refused(`The diff touches ${name}: nothing below tests may be changed.`)
  }
  if (before !== null && after !== null && before !== after)
    throw new Refused(`The diff renames ${before} to ${after}; delete and add it instead.`)
  const text = files.get(path)
  const creates = before === null || (text === undefined && hunks.every(({ old, start }) => old.length === 0 && start === 0))
  if (!creates && text === undefined) throw new Refused(`The diff changes ${path}, which is not there.`)
  const strict: Result =
    creates && text !== undefined
      ? { ok: false, fault: `The diff makes ${path}, which is there already.` }
      : applyHunks(linesOfText(text ?? ''), hunks, path, exactly)
  const done = strict.ok || !rewrite ? strict : rewriteFile(text ?? '', hunks, path)
  if (!done.ok) throw new Refused(done.fault)
  const fresh = textOfLines(done.lines)
  if (after !== null) files.set(path, fresh)
  else if (fresh === '') files.delete(path)
  else throw new Refused(`The diff deletes ${path}, but leaves lines of it.`)
  return !strict.ok
}

type Result = { ok: true; lines: Lines } | { ok: false; fault: string }
/** What two lines have in common when they count as the same. */
type Key = (line: string) => string
const exactly: Key = (line) => line
const loosely: Key = (line) => line.trim().replace(/\s+/g, ' ')

/** A file whose diff only adds is what the diff shows of it; any other may differ in white space. */
function rewriteFile(text: string, hunks: readonly Hunk[], path: string): Result {
  if (hunks.some(({ removes }) => removes)) return applyHunks(linesOfText(text), hunks, path, loosely)
  const { ending } = linesOfText(text)
  return { ok: true, lines: { list: hunks.flatMap(({ fresh }) => fresh), ending, open: hunks.at(-1)?.freshOpen ?? false } }
}

function applyHunks(lines: Lines, hunks: readonly Hunk[], path: string, key: Key): Result {
  const { list } = lines
  const bare = lines.ending === '\r\n' ? (line: string) => line.replace(/\r$/, '') : (line: string) => line
  const out: string[] = []
  let done = 0
  let open = lines.open
  for (const [index, hunk] of hunks.entries()) {
    const old = hunk.old.map(bare)
    const place = placeOf(list, old, hunk.start, done, key)
    const which = `Change ${index + 1} of ${path}`
    if (place === 'nowhere') return { ok: false, fault: `${which} does not apply: the lines that it says are there are not.` }
    if (place === 'anywhere')
      return { ok: false, fault: `${which} does not apply: its place is not told by its line, and its lines stand at several.` }
    const end = place + old.length
    if (hunk.oldOpen && !(end === list.length && lines.open))
      return { ok: false, fault: `${which} does not apply: the file ends in a newline.` }
    out.push(...list.slice(done, place), ...hunk.fresh.map(bare))
    if (end === list.length && hunk.fresh.length + old.length > 0 && !(hunk.endsInContext && !hunk.oldOpen)) open = hunk.freshOpen
    done = end
  }
  out.push(...list.slice(done))
  return { ok: true, lines: { ...lines, list: out, open: open && out.length > 0 } }
}

/** Where the old lines of a hunk stand, counted from 0: at its line, or at the only other place from `from` on. */
function placeOf(
  list: readonly string[],
  old: readonly string[],
  start: number | null,
  from: number,
  key: Key,
): number | 'nowhere' | 'anywhere' {
  if (old.length === 0) {
    // Lines are put behind the one that is named; nothing else tells their place.
    if (start === null) return list.length === 0 ? 0 : 'anywhere'
    return start >= from && start <= list.length ? start : 'nowhere'
  }
  const wanted = old.map(key)
  const stands = (at: number): boolean =>
    at >= from && wanted.every((line, index) => at + index < list.length && key(list[at + index]!) === line)
  if (start !== null && stands(start - 1)) return start - 1
  const places: number[] = []
  for (let at = from; at + old.length <= list.length && places.length < 2; at += 1) if (stands(at)) places.push(at)
  return places.length === 0 ? 'nowhere' : places.length === 1 ? places[0]! : 'anywhere'
}

/** A file cannot lie in another one. */
function checkFolders(files: ReadonlyMap<string, string>): void {
  for (const path of files.keys()) {
    const parts = path.split('/')
    for (let depth = 1; depth < parts.length; depth += 1) {
      const folder = parts.slice(0, depth).join('/')
      if (files.has(folder)) throw new Refused(`The diff puts ${path} below ${folder}, which is a file.`)
    }
  }
}
