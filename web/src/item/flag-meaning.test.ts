import { expect, test } from 'vitest'
import { flagMeaning } from './flag-meaning.ts'

test('[UI25] a flag says what it means; an unknown one says its name', () => {
  expect(flagMeaning('truncated')).toContain('token limit')
  expect([flagMeaning('level_1'), flagMeaning('level_3')]).toEqual([
    expect.stringContaining('stated as asked'),
    expect.stringContaining('fallback pattern 3'),
  ])
  expect(flagMeaning('new_moon')).toBe('new moon')
})
