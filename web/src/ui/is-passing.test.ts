import { expect, test } from 'vitest'
import { isPassing } from './is-passing.ts'

test('[UI73] a server that is away or busy may be asked again, a refusal may not', () => {
  for (const status of [0, 429, 500, 502, 503, 504]) expect([status, isPassing(status)]).toEqual([status, true])
  for (const status of [400, 401, 403, 404, 409, 413, 415, 422]) expect([status, isPassing(status)]).toEqual([status, false])
})
