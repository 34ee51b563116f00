import fc from 'fast-check'
import { expect, test } from 'vitest'
import { markAnswer } from './mark-answer.ts'

test('[UI14] the last whole occurrence is marked', () => {
  expect(markAnswer('A is not it. The answer is (A).', 'A')).toEqual({ before: 'A is not it. The answer is (', hit: 'A', after: ').' })
  expect(markAnswer('\\boxed{17} or 170', '17').before).toBe('\\boxed{')
  expect(markAnswer('ABBA', 'B')).toEqual({ before: 'ABBA', hit: '', after: '' })
  expect(markAnswer('nothing here', null).hit).toBe('')
})

test('[UI14] no character of the text is lost, whatever is marked', () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ maxLength: 4 }), (text, answer) => {
      const { before, hit, after } = markAnswer(text, answer)
      expect(before + hit + after).toBe(text)
    }),
  )
})
