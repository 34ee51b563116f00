import { expect, test } from 'vitest'
import * as z from 'zod'
import { recordsOf } from './parse-rows.ts'

const Question = z.object({ id: z.int(), options: z.array(z.string()), answer: z.string() })
const refusal = (row: unknown) =>
  recordsOf({ test: { count: 1, read: async () => row } }, 'test', Question)
    .read(0)
    .catch((error: Error) => error.message)

test('[DATA35] a row that does not fit is named with its missing columns and those it has', async () => {
  expect(await refusal({ question: 'Why?', answer: 'A' })).toBe(
    'test row 0: column id is missing; column options is missing; found question, answer',
  )
  expect(await refusal({ id: 1, options: ['a', 2], answer: 'A' })).toMatch(
    /^test row 0: column options\.1: .*expected string.*; found id, options, answer$/,
  )
  expect(await refusal({})).toContain('found no column')
  for (const row of [null, 'text', []]) expect(await refusal(row)).toBe('test row 0: the row is no object with columns')
  expect(await refusal({ id: 1, options: [], answer: 'A' })).toEqual({ id: 1, options: [], answer: 'A' })
})
