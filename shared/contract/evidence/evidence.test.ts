import { expect, test } from 'vitest'
import type { DialogueEvidence } from './dialogue.ts'
import { type Evidence, evidenceKinds, headOf, judgeOutputOf, responseOf, sectionsOf, shortened } from './evidence.ts'
import type { RewardEvidence } from './reward.ts'
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
const graded: RewardEvidence['steps'][0] = {
  name: '',
  agent: { end: 'completed', turns: 2, detail: '' },
  rewards: { reward: 1 },
  problem: null,
  ignored: [],
  tampering: [],
  verifier: { exit_code: 0, output: 'ok' },
}
const episode: RewardEvidence = {
  kind: 'reward',
  ...answer,
  agent: { name: 'terminus-2', version: '2.0.0' },
  image: { name: 'bench/base:bookworm', digest: `sha256:${'a'.repeat(64)}` },
  room: 'shared',
  strategy: 'mean',
  steps: [graded],
  phases: [{ name: 'agent', step: null, began_ms: 1, took_ms: 2 }],
}
const talk: DialogueEvidence = {
  kind: 'dialogue',
  ...answer,
  turns: [
    { type: 'said', party: 'assistant', text: 'Hi', calls: [] },
    { type: 'said', party: 'user', text: '', calls: [{ id: 'a', name: 'switch', arguments: '{}' }] },
    { type: 'result', party: 'user', call_id: 'a', name: 'switch', content: 'on', error: false, changes: [] },
  ],
  end: 'user-stop',
  steps: 3,
  errors: 0,
  most: { steps: 200, errors: 10 },
  assertions: [{ party: 'user', name: 'assert_lamp', args: '{"lamp": "on"}', value: false, message: null, held: true }],
  broken: [],
}
const examples: { [K in Evidence['kind']]: Extract<Evidence, { kind: K }> } = {
  completion: { kind: 'completion', ...answer },
  judged: { kind: 'judged', ...answer, judge },
  tests: { kind: 'tests', ...answer, parts: [] },
  reward: { ...episode, steps: [{ ...graded, verifier: null }] },
  dialogue: { ...talk, turns: [] },
  exchange: { kind: 'exchange', ...answer, turns: [], pictures: [], code: null, judge: null, sandbox_ms: null },
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

test('[KIT9] of an episode its rewards are kept longest: what verifiers wrote gives way after reasoning, and is short in the beginning', () => {
  const bad = {
    ...graded,
    name: 'two',
    rewards: null,
    problem: 'missing' as const,
    ignored: ['why'],
    tampering: ['tests-changed' as const],
  }
  const evidence: Evidence = { ...episode, steps: [{ ...graded, name: 'one', agent: { ...graded.agent, detail: 'in time' } }, bad] }
  expect(sectionsOf(evidence).map(({ title, text, scored }) => [title, text, scored])).toEqual([
    ['Reasoning', 'abcdef', false],
    ['Answer', 'Beta', false],
    ['one: agent', 'completed: in time', false],
    ['one: reward', 'reward 1', true],
    ['one: verifier', 'ok', false],
    ['two: agent', 'completed', false],
    ['two: reward', 'the verifier left no reward file\ntest files changed while the tests ran\nno numbers: why', true],
    ['two: verifier', 'ok', false],
  ])
  const outputs = (one: Evidence) => (one.kind === 'reward' ? one.steps.map(({ verifier }) => verifier?.output) : null)
  expect([outputs(shortened(evidence, 6 + 1)), outputs(shortened(evidence, 6 + 3)), outputs(headOf(evidence, 1))]).toEqual([
    ['o', 'ok'],
    ['', 'o'],
    ['o', 'o'],
  ])
})

test('[KIT9] of a dialogue what was said and whether assertions held is kept longest: changes give way after reasoning; the beginning has the first turns, cut', () => {
  const [greeting, asked, result] = talk.turns as [DialogueEvidence['turns'][0], DialogueEvidence['turns'][0], DialogueEvidence['turns'][0]]
  const changes = [{ party: 'user' as const, path: 'lamp', before: 'off', after: 'on' }]
  const evidence: DialogueEvidence = { ...talk, turns: [greeting, asked, { ...result, changes } as typeof result] }
  expect(sectionsOf(evidence).map(({ title, text, scored }) => [title, text, scored])).toEqual([
    ['Reasoning', 'abcdef', false],
    ['Answer', 'Beta', false],
    ['Dialogue', 'Agent: Hi\nUser calls switch({})\n  switch: on', true],
    ['Outcome', 'the user ended it\nassert_lamp({"lamp": "on"}) is false: held', true],
  ])
  expect(shortened(evidence, 6)).toEqual({ ...evidence, reasoning: '' })
  expect(shortened(evidence, 7)).toEqual({ ...talk, reasoning: '' })
  expect(headOf(talk, 1)).toMatchObject({ text: 'B', turns: [{ ...greeting, text: 'H' }], assertions: talk.assertions })
  expect(headOf(talk, 1000)).toEqual(talk)
})
