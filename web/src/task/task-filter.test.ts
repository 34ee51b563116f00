import { expect, test } from 'vitest'
import { matchesSearch, readTaskFilter, taskQuery } from './task-filter.ts'

test('[UI133] how the list of tasks is narrowed survives the way through the address; what makes no sense is left out', () => {
  const filter = { q: 'count lines', status: 'running', team: '11111111-1111-4111-8111-111111111111', skip: 50 } as const
  expect(readTaskFilter(taskQuery(filter) as Record<string, string>)).toEqual(filter)
  expect(readTaskFilter({ q: '', status: 'lost', skip: '-3' })).toEqual({ q: undefined, status: undefined, skip: 0 })
  expect(taskQuery({ q: undefined, status: undefined, team: undefined, skip: 0 })).toEqual({
    q: undefined,
    status: undefined,
    skip: undefined,
  })
})

test('[UI133] a search finds tasks in which every word stands: in name, file, description, the beginning of the instruction or id', () => {
  const shown = {
    id: '13b2f69a',
    name: 'chutes/count-lines',
    description: 'Not blank.',
    opening: 'In `/app/notes.txt`',
    original_filename: 'one.zip',
  }
  for (const q of ['COUNT', 'notes lines', 'one.zip', 'blank', '13b2']) expect(matchesSearch(shown, q), q).toBe(true)
  for (const q of ['count words', 'two.zip']) expect(matchesSearch(shown, q), q).toBe(false)
})
