import { foldCase, pySpace, skipSpace, splitLines, strip, stripChars } from '../python/text.ts'

/** The heading of the summary in a text whose case was folded; it begins at the first of its equals signs. */
const summary = new RegExp(`(?<!=)=+[${pySpace}]*short test summary info[${pySpace}]*=+`, 'u')
const firstWord = new RegExp(`^[^${pySpace}]*`, 'u')

/** How the first Terminal-Bench counts each status in pytest's summary. It skips lines with `UNKNOWN`, as lines with any other word. */
const verdicts: Readonly<Record<string, 'passed' | 'failed'>> = {
  PASSED: 'passed',
  XFAIL: 'passed',
  SKIPPED: 'passed',
  FAILED: 'failed',
  XPASS: 'failed',
  ERROR: 'failed',
}

/** Tests by name; `no-summary` and `no-tests` are panes that say nothing: the second counts as resolved upstream, and not here. */
export type PaneResult =
  | { ok: true; tests: Readonly<Record<string, 'passed' | 'failed'>> }
  | { ok: false; reason: 'no-summary' | 'no-tests' }

/**
 * What a terminal shows of pytest's short summary, as Terminal-Bench 0.2.18 reads it: from the first heading on, lines that begin with a status; of a failed
 * one the text after the last ` - ` is cut; a name that comes again has its later status. Lines that the terminal wrapped are names cut short, as upstream.
 */
export function readPytestPane(pane: string): PaneResult {
  const heading = summary.exec(foldCase(pane))
  if (!heading) return { ok: false, reason: 'no-summary' }
  const tests = new Map<string, 'passed' | 'failed'>()
  for (const line of splitLines(pane.slice(heading.index + heading[0].length))) {
    const at = line.startsWith('FAILED') ? line.lastIndexOf(' - ') : -1
    const told = (at < 0 ? line : line.slice(0, at)).slice(skipSpace(line, 0))
    const [word] = firstWord.exec(told)!
    const status = stripChars(word, ':')
    const verdict = Object.hasOwn(verdicts, status) ? verdicts[status] : undefined
    const path = strip(told.slice(word.length))
    const colons = path.indexOf('::')
    const name = colons < 0 ? path : path.slice(colons + 2)
    if (verdict && name !== '') tests.set(name, verdict)
  }
  return tests.size === 0 ? { ok: false, reason: 'no-tests' } : { ok: true, tests: Object.fromEntries(tests) }
}

/** Whether a task is resolved: something was told, and everything passed. */
export const isResolved = (result: PaneResult): boolean => result.ok && Object.values(result.tests).every((verdict) => verdict === 'passed')
