import { expect, test } from 'vitest'
import { isNarrowed, readRunFilter, runQuery } from './run-filter.ts'

test('[UI74] the list of runs is narrowed, sorted and paged by its address, and nonsense is left out', () => {
  const plain = readRunFilter({})
  expect([isNarrowed(plain), Object.values(runQuery(plain)).filter((value) => value !== undefined)]).toEqual([false, []])
  const search = {
    status: 'failed',
    q: 'night',
    tag: 'gate',
    benchmark: 'ifeval',
    since: '2026-11-01',
    until: '2026-11-22',
    ids: 'a,b',
    sort: 'score',
    offset: '50',
  }
  expect(runQuery(readRunFilter(search))).toEqual(search)
  expect(isNarrowed(readRunFilter({ ids: 'a' }))).toBe(true)
  expect(isNarrowed(readRunFilter({ sort: 'cost', offset: '50' }))).toBe(false)
  expect(readRunFilter({ status: 'x', since: 'yesterday', sort: 'luck', offset: '-1', q: ['a'] })).toEqual(plain)
  expect(readRunFilter({ model: 'qwen' }).q).toBe('qwen')
})
