import { expect, test } from 'vitest'
import { isPassing, keepGood } from './kept.ts'

const problem = (status: number) => ({ code: 'c', title: 't', status, detail: 'd', errors: [], request_id: null })
const good = { value: 'run', problem: undefined }

test('[UI90] a problem that passes leaves what was good in its place; one about the thing itself takes it away', () => {
  for (const status of [0, 429, 500, 502, 503]) {
    expect(isPassing({ status })).toBe(true)
    expect(keepGood(good, { ok: false, problem: problem(status) })).toEqual({ value: 'run', problem: problem(status) })
  }
  for (const status of [401, 403, 404, 410]) {
    expect(isPassing({ status })).toBe(false)
    expect(keepGood(good, { ok: false, problem: problem(status) }).value).toBeUndefined()
  }
  expect(keepGood({ value: 'run', problem: problem(0) }, { ok: true, value: 'newer' })).toEqual({ value: 'newer', problem: undefined })
  expect(keepGood<string>({ value: undefined, problem: undefined }, { ok: false, problem: problem(503) }).value).toBeUndefined()
})
