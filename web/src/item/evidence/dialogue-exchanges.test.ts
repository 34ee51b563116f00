import { expect, test } from 'vitest'
import type { Turn } from '#shared/contract/evidence/dialogue.ts'
import { exchangesOf, netChanges } from './dialogue-exchanges.ts'

const result = (name: string, before: string, after: string): Turn => ({
  type: 'result',
  party: 'user',
  call_id: name,
  name,
  content: after,
  error: false,
  changes: [{ party: 'user', path: 'lamp', before, after }],
})
const turns: Turn[] = [
  { type: 'said', party: 'assistant', text: 'Hi', calls: [] },
  { type: 'said', party: 'user', text: '', calls: ['a', 'b'].map((name) => ({ id: name, name, arguments: '{}' })) },
  result('a', 'off', 'on'),
  result('b', 'on', 'red'),
  { type: 'said', party: 'user', text: '', calls: [{ id: 'c', name: 'c', arguments: '{}' }] },
]

test('[TAU38] calls stand with their results, a cut beginning without; changes are told from the first value to the last, and not where they came to nothing', () => {
  expect(exchangesOf(turns).map(({ party, calls }) => [party, calls.map(({ name, result: got }) => [name, got?.content])])).toEqual([
    ['assistant', []],
    [
      'user',
      [
        ['a', 'on'],
        ['b', 'red'],
      ],
    ],
    ['user', [['c', undefined]]],
  ])
  expect(netChanges(turns)).toEqual([{ party: 'user', path: 'lamp', before: 'off', after: 'red' }])
  expect(netChanges([...turns, result('c', 'red', 'off')])).toEqual([])
})
