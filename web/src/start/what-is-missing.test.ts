import { expect, test } from 'vitest'
import { whatIsMissing } from './what-is-missing.ts'

const ready = { model: true, benchmarks: 1, refused: undefined, planned: true }

test('[UI71] Run says what is missing, and that a plan was refused', () => {
  expect(whatIsMissing(ready)).toBeUndefined()
  expect(whatIsMissing({ ...ready, model: false, benchmarks: 0 })).toBe('Choose a model')
  expect(whatIsMissing({ ...ready, benchmarks: 0 })).toBe('Choose a benchmark')
  for (const status of [400, 404, 422]) expect(whatIsMissing({ ...ready, planned: false, refused: { status } })).toBe('Refused, see why')
})

test('[UI71] a server that is away, or asks for patience, can be asked again', () => {
  for (const status of [0, 429, 500, 503]) expect(whatIsMissing({ ...ready, planned: false, refused: { status } })).toBeUndefined()
  expect(whatIsMissing({ ...ready, planned: false })).toBe('Planning')
})
