import { expect, test } from 'vitest'
import { keepGood } from './kept.ts'

const problem = (status: number) => ({ code: 'c', title: 't', status, detail: 'd', errors: [], request_id: null })
const good = { value: 'run', atMs: 10, problem: undefined }

test('[UI90] a problem that passes leaves what was good in its place; one about the thing itself takes it away', () => {
  for (const status of [0, 429, 500, 502, 503]) {
    expect(keepGood(good, { ok: false, problem: problem(status) }, 20)).toEqual({ value: 'run', atMs: 10, problem: problem(status) })
  }
  for (const status of [401, 403, 404, 410]) {
    expect(keepGood(good, { ok: false, problem: problem(status) }, 20).value).toBeUndefined()
  }
  expect(keepGood({ ...good, problem: problem(0) }, { ok: true, value: 'newer' }, 20)).toEqual({
    value: 'newer',
    atMs: 20,
    problem: undefined,
  })
  expect(
    keepGood<string>({ value: undefined, atMs: 0, problem: undefined }, { ok: false, problem: problem(503) }, 20).value,
  ).toBeUndefined()
})
