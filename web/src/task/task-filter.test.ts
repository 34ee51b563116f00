import { expect, test } from 'vitest'
import { readTaskFilter, taskQuery } from './task-filter.ts'

test('[UI133] how the list of tasks is narrowed survives the way through the address; what makes no sense is left out', () => {
  const filter = { q: 'count lines', status: 'running', skip: 50 } as const
  expect(readTaskFilter(taskQuery(filter) as Record<string, string>)).toEqual(filter)
  expect(readTaskFilter({ q: '', status: 'lost', skip: '-3' })).toEqual({ q: undefined, status: undefined, skip: 0 })
  expect(taskQuery({ q: undefined, status: undefined, skip: 0 })).toEqual({ q: undefined, status: undefined, skip: undefined })
})
