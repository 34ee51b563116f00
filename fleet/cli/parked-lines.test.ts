import { expect, test } from 'vitest'
import { parkedLines } from './parked-lines.ts'

const plain = { colour: false, columns: 100 }

test('[CLI502] a parked run says why, and who must act or when it goes on by itself', () => {
  const parked = { reason: 'provider/unauthorized', detail: 'HTTP 401 \u001b[2Jno such key', until: null }
  expect(parkedLines({ parked }, plain)).toEqual([
    'parked (provider/unauthorized): HTTP 401 no such key',
    '        Whoever set the key of the provider of the model: replace it. Then resume.',
  ])
  const until = '2026-11-28T12:00:00.000Z'
  expect(parkedLines({ parked: { ...parked, until } }, plain)[1]).toBe('        It goes on by itself at 2026-11-28 12:00:00 UTC.')
  expect(parkedLines({ parked: null }, plain)).toEqual([])
})
