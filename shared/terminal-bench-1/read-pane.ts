import { lower, strip } from '../python/text.ts'
import type { PaneParser } from './pane-parser.ts'
import { type PaneResult, readPytestPane } from './pytest-pane.ts'

/** What a terminal shows after a task's tests, read by the parser that the task names, as Terminal-Bench 0.2.18 has them. */
export const readPane = (parser: PaneParser, pane: string): PaneResult => readers[parser](pane)

const readers: Readonly<Record<PaneParser, (pane: string) => PaneResult>> = {
  pytest: readPytestPane,
  swebench: (pane) => readMarked(pane, 'SWEBench', 'PASSED'),
  sweperf: (pane) => readMarked(pane, 'SWE-Perf', 'PASSED'),
  // This one does not ask whether its marks are there.
  mlebench: (pane) => oneTest('tests', between(pane, marksOf('MLEBench')) === 'ALL TESTS PASSED'),
  swelancer: (pane) => oneTest('swelancer_task', isLancerSuccess(lower(pane))),
}

const oneTest = (name: string, passed: boolean): PaneResult => ({ ok: true, tests: { [name]: passed ? 'passed' : 'failed' } })

type Marks = { start: string; end: string }
const marksOf = (suite: string): Marks => ({ start: `${suite} results starts here`, end: `${suite} results ends here` })

function readMarked(pane: string, suite: string, passed: string): PaneResult {
  const marks = marksOf(suite)
  if (!pane.includes(marks.start) || !pane.includes(marks.end)) return { ok: false, reason: 'no-summary' }
  return oneTest('tests', between(pane, marks) === passed)
}

/** From behind the first start to before the last end, each as far as it is there. */
function between(pane: string, { start, end }: Marks): string {
  const from = pane.indexOf(start)
  const rest = from < 0 ? pane : pane.slice(from + start.length)
  const to = rest.lastIndexOf(end)
  return strip(to < 0 ? rest : rest.slice(0, to))
}

function isLancerSuccess(pane: string): boolean {
  if (pane.includes('swe lancer success')) return true
  return !pane.includes('swe lancer failure') && pane.includes('user_tool') && pane.includes('completed')
}
