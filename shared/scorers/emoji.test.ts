import { expect, test } from 'vitest'
import { isEmoji } from './emoji.ts'

test('[SCORE23] single characters are emoji as the emoji package lists them', () => {
  for (const char of ['😀', '❤', '©', '↔', '🏽', '㊗', '🫠']) expect(isEmoji(char), char).toBe(true)
  for (const char of ['1', '#', '*', '🇦', '\ufe0f', '\u200d', 'a', '', '😀😀', '❤\ufe0f']) expect(isEmoji(char), char).toBe(false)
})
