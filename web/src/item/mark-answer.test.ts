import fc from 'fast-check'
import { expect, test } from 'vitest'
import { markAnswer, markRange, readOf, wantsRendering } from './mark-answer.ts'

test('[UI14] the last whole occurrence is marked', () => {
  expect(markAnswer('A is not it. The answer is (A).', 'A')).toEqual({ before: 'A is not it. The answer is (', hit: 'A', after: ').' })
  expect(markAnswer('\\boxed{17} or 170', '17').before).toBe('\\boxed{')
  expect(markAnswer('ABBA', 'B')).toEqual({ before: 'ABBA', hit: '', after: '' })
  expect(markAnswer('nothing here', null).hit).toBe('')
})

test('[UI14] of an answer whose beginning alone is kept nothing is marked', () => {
  expect(readOf({ answer: 'A', flags: ['truncated'] })).toBe('A')
  expect(readOf({ answer: 'A', flags: ['answer_cut'] })).toBeNull()
})

test('[UI14] no character of the text is lost, whatever is marked', () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ maxLength: 4 }), (text, answer) => {
      const { before, hit, after } = markAnswer(text, answer)
      expect(before + hit + after).toBe(text)
    }),
  )
})

test('[UI14] the marked part is known by its place', () => {
  const text = 'A or B: the answer is (B).'
  const range = markRange(markAnswer(text, 'B'))!
  expect([text.slice(range.from, range.to), range.from]).toEqual(['B', text.lastIndexOf('B')])
  expect(markRange(markAnswer(text, 'C'))).toBeNull()
})

test('[UI63] formulas, code and Markdown are shown rendered at first, plain prose as it is', () => {
  for (const text of ['so $x^2$', '\\(a\\)', '\\frac12', '```py\n1\n```', '## Step', '**B**'])
    expect([text, wantsRendering(text)]).toEqual([text, true])
  for (const text of ['The answer is (B).', 'It costs $5, then $6.', 'a * b * c'])
    expect([text, wantsRendering(text)]).toEqual([text, false])
})
