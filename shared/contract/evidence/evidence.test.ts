import { expect, test } from 'vitest'
import { type Evidence, evidenceKinds, headOf, judgeOutputOf, responseOf, sectionsOf, shortened } from './evidence.ts'
import { partPassed, partSummary, type TestedPart } from './tests.ts'

const answer = { text: 'Beta', reasoning: 'abcdef', finish_reason: 'stop', scoring_input: null, truncated_reasoning: false }
const judge = { model: 'lab/judge', replies: ['hm', 'YES'] }
const part: TestedPart = {
  name: '77.1',
  language: 'python',
  program: 'print(6)',
  patch: null,
  build: null,
  total: 3,
  tests: [
    { name: 'adds', end: 'passed', took_ms: 3 },
    { name: 'doubles', end: 'failed', input: '3', expected: '6', got: '7', message: null, took_ms: 4 },
  ],
  output: 'warm',
  took_ms: 9,
  memory_mb: null,
}
const examples: { [K in Evidence['kind']]: Extract<Evidence, { kind: K }> } = {
  completion: { kind: 'completion', ...answer },
  judged: { kind: 'judged', ...answer, judge },
  tests: { kind: 'tests', ...answer, parts: [] },
}

test('[KIT9] every kind tells its response, its texts, what a judge said, gives way where no scorer reads, and has a beginning of any length', () => {
  for (const kind of evidenceKinds) {
    const evidence = examples[kind]
    expect(responseOf(evidence)).toBe('Beta')
    const scored = sectionsOf(evidence).filter((section) => section.scored)
    const shorter = shortened(evidence, 4)
    expect(shorter).toEqual({ ...evidence, reasoning: 'ab' })
    expect(sectionsOf(shorter).filter((section) => section.scored)).toEqual(scored)
    const long = { ...evidence, text: 'A🙂B', scoring_input: 'A🙂', tool_calls: [] }
    expect(headOf(long, 2)).toEqual({ ...evidence, text: 'A', reasoning: 'ab', scoring_input: 'A' })
    expect(responseOf(headOf(long, 3))).toBe('A🙂')
    expect(headOf(evidence, 100)).toEqual(evidence)
  }
  expect(sectionsOf(examples.judged).map(({ title, text, scored }) => [title, text, scored])).toEqual([
    ['Reasoning', 'abcdef', false],
    ['Answer', 'Beta', true],
    ['Judge lab/judge, no verdict', 'hm', false],
    ['Judge lab/judge', 'YES', true],
  ])
  expect([judgeOutputOf(examples.completion), judgeOutputOf(examples.judged)]).toEqual([null, judge])
  expect([responseOf(null), sectionsOf(null), judgeOutputOf(null)]).toEqual([null, [], null])
})

test('[KIT9] of tested programs their ends are kept longest: outputs give way first, then what tests say besides; the beginning has short programs', () => {
  const evidence: Evidence = { ...examples.tests, kind: 'tests', parts: [part, { ...part, name: '77.2' }] }
  expect(sectionsOf(evidence).map(({ title, text, scored }) => [title, text, scored])).toEqual([
    ['Reasoning', 'abcdef', false],
    ['Answer', 'Beta', false],
    ...['77.1', '77.2'].flatMap((name) => [
      [`${name}: program`, 'print(6)', false],
      [`${name}: tests`, 'adds: passed\ndoubles: failed\n  input: 3\n  expected: 6\n  got: 7', true],
      [`${name}: output`, 'warm', false],
    ]),
  ])
  const ends = part.tests.map(({ name, end, took_ms }) => ({ name, end, took_ms }))
  expect(shortened(evidence, 6 + 5)).toEqual({
    ...evidence,
    reasoning: '',
    parts: [
      { ...part, output: '' },
      { ...part, name: '77.2', output: 'war' },
    ],
  })
  const least = [part, { ...part, name: '77.2' }].map((one) => ({ ...one, output: '', tests: ends }))
  expect(shortened(evidence, 1_000)).toEqual({ ...evidence, reasoning: '', parts: least })
  expect(headOf({ ...evidence, parts: [part] }, 2)).toEqual({
    ...evidence,
    text: 'Be',
    reasoning: 'ab',
    parts: [{ ...part, program: 'pr', output: 'wa' }],
  })
  expect([partPassed(part), partPassed({ ...part, total: 1 }), partPassed({ ...part, total: 0, tests: [] })]).toEqual([false, true, false])
  expect(partSummary(part)).toBe('1 of 3 tests passed; first not: doubles (failed)')
})
