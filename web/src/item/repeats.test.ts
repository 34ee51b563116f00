import { expect, test } from 'vitest'
import { repeatsTexts } from './repeats.ts'

test('[UI64] a prompt that repeats the question and every option is one that may be folded', () => {
  const prompt = 'Question: Which\n  one?\nA. red\nB. green\n\nAnswer:'
  expect(repeatsTexts(prompt, ['Which one?', 'red', 'green'])).toBe(true)
  expect(repeatsTexts(prompt, ['Which one?', 'red', 'blue'])).toBe(false)
  expect(repeatsTexts(prompt, [])).toBe(false)
  expect(repeatsTexts(prompt, ['', ' '])).toBe(false)
})
