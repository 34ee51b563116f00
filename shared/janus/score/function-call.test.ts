import { expect, test } from 'vitest'
import { callScore } from './function-call.ts'

test('[JANUS5] a text is compared with a list as Python prints it', () => {
  const call = { function: 'f', arguments: JSON.stringify({ a: ['Z\u00fcrich\u00a0HB'] }) }
  expect(callScore({ function: 'f', arguments: { a: 'Z\u00fcrich\u00a0HB' } }, call, true, 'v1')).toBe(0.6)
})
