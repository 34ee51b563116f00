import { expect, test } from 'vitest'
import { type Evidence, evidenceKinds, judgeOutputOf, responseOf, sectionsOf, shortened } from './evidence.ts'

const answer = { text: 'Beta', reasoning: 'abcdef', finish_reason: 'stop', scoring_input: null, truncated_reasoning: false }
const judge = { model: 'lab/judge', replies: ['hm', 'YES'] }
const examples: { [K in Evidence['kind']]: Extract<Evidence, { kind: K }> } = {
  completion: { kind: 'completion', ...answer },
  judged: { kind: 'judged', ...answer, judge },
}

test('[KIT9] every kind tells its response, its texts, what a judge said, and gives way where no scorer reads', () => {
  for (const kind of evidenceKinds) {
    const evidence = examples[kind]
    expect(responseOf(evidence)).toBe('Beta')
    const scored = sectionsOf(evidence).filter((section) => section.scored)
    const shorter = shortened(evidence, 4)
    expect(shorter).toEqual({ ...evidence, reasoning: 'ab' })
    expect(sectionsOf(shorter).filter((section) => section.scored)).toEqual(scored)
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
