import { type PythonRandom, pythonRandom } from '#shared/random/python-random.ts'
import { type PaneParser, paneParsers } from '#shared/terminal-bench-1/pane-parser.ts'

/** What a terminal shows after a task's tests, and the parser that the task names. */
export type Pane = { parser: PaneParser; pane: string }

const spaces = [...' \t\n\r\v\f\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2003\u2028\u2029\u3000', '\r\n', '\u200b', '\ufeff', '  ']
const statuses = 'PASSED FAILED SKIPPED XFAIL XPASS ERROR UNKNOWN passed FAILED: :PASSED ::ERROR:: PASSED\ufeff'.split(' ')
const names = [
  't.py::test_a',
  't.py::test_b[x - y]',
  'a::b::c',
  '::',
  't.py',
  'x::',
  '../tests/é.py::ü',
  '__proto__',
  't.py::test_a - AssertionError: a - b',
]
const headings = [
  '= short test summary info =',
  '===== SHORT TEST SUMMARY INFO ====',
  '=\u3000\u017fhort te\u017ft summary info\x1c=',
  '= short test summary \u0131nfo =',
  '== short test summary \u0130NFO ==',
  '= short  test summary info =',
  '- short test summary info -',
]
const marks = ['SWEBench', 'SWE-Perf', 'MLEBench'].flatMap((suite) => [`${suite} results starts here`, `${suite} results ends here`])
const words = [
  'PASSED',
  'FAILED',
  'ALL TESTS PASSED',
  'SWE Lancer Success',
  'swe lancer FAILURE',
  'USER_TOOL',
  'completed',
  '2 passed in 0.1s',
]

function line(draw: PythonRandom, odd: boolean): string {
  const space = () => (odd ? draw.choice(spaces) : ' ')
  const before = draw.below(6) === 0 ? space() : ''
  const after = draw.below(4) === 0 ? space() : ''
  return `${before}${draw.choice(statuses)}${space()}${draw.choice(names)}${after}${draw.below(4) === 0 ? ' - Error: x' : ''}`
}

function pytestPane(draw: PythonRandom): string {
  const odd = draw.below(2) === 0
  const heading = draw.choice(odd ? headings : headings.slice(0, 2))
  const lines = Array.from({ length: draw.below(7) }, () => line(draw, odd))
  return ['$ pytest', heading, ...lines, ...(draw.below(5) === 0 ? [heading, line(draw, odd)] : [])].join(
    odd && draw.below(3) === 0 ? draw.choice(spaces) : '\n',
  )
}

function markedPane(draw: PythonRandom): string {
  const pieces = Array.from({ length: draw.randint(1, 6) }, () => draw.choice(draw.below(2) === 0 ? marks : words))
  return pieces.join(draw.choice([...spaces, '\n', '\n']))
}

/** Panes of all parsers, the same for the same seed: two of three of pytest, half of them with white space that Python and JavaScript see differently. */
export function drawnPanes(seed: number, count: number): Pane[] {
  const draw = pythonRandom(seed)
  return Array.from({ length: count }, (_, index): Pane => {
    if (index % 3 < 2) return { parser: 'pytest', pane: pytestPane(draw) }
    return { parser: draw.choice(paneParsers.filter((name) => name !== 'pytest')), pane: markedPane(draw) }
  })
}
