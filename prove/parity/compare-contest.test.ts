import { expect, test } from 'vitest'
import { contestAnswers } from './answers-contest.ts'
import { tallyContest } from './compare-contest.ts'

test('[SCORE47] contest answers are seeded, and every disagreement with an official verdict is counted', () => {
  const answers = contestAnswers(3, 400)
  expect(contestAnswers(3, 400)).toEqual(answers)
  expect(contestAnswers(4, 400)).not.toEqual(answers)
  const some = [
    { text: '\\boxed{70}', gold: '70' },
    { text: '\\boxed{???} 70', gold: '70' },
    { text: '\\boxed{x}', gold: '70' },
  ]
  const verdicts = [{ read: true, right: true }, { read: false, right: true }, { raised: 'ValueError' }]
  expect(tallyContest(some, verdicts)).toEqual({ compared: 2, raised: 1, rightHere: 2, disagreements: [] })
  expect(
    tallyContest(some, [
      { read: true, right: false },
      { read: true, right: true },
      { read: true, right: false },
    ]).disagreements,
  ).toEqual(some.slice(0, 2))
  expect(tallyContest(some.slice(0, 1), [{ raised: 'ValueError' }]).disagreements).toHaveLength(1)
  expect(() => tallyContest(some, [])).toThrow('0 verdicts for 3 answers')
})
