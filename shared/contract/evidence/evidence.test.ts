import { expect, test } from 'vitest'
import { type Evidence, evidenceKinds, headOf, judgeOutputOf, responseOf, sectionsOf, shortened } from './evidence.ts'

const answer = { text: 'Beta', reasoning: 'abcdef', finish_reason: 'stop', scoring_input: null, truncated_reasoning: false }
const judge = { model: 'lab/judge', replies: ['hm', 'YES'] }
const examples: { [K in Evidence['kind']]: Extract<Evidence, { kind: K }> } = {
  completion: { kind: 'completion', ...answer },
  judged: { kind: 'judged', ...answer, judge },
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
