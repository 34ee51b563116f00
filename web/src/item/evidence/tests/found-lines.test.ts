import { expect, test } from 'vitest'
import { foundLines } from './found-lines.ts'

test('[UI101] a log is searched by its lines, whatever their case, and they keep their numbers', () => {
  const log = 'start\nError: no file\n\nan ERROR again'
  expect(foundLines(log, ' error ').map(({ number }) => number)).toEqual([2, 4])
  expect(foundLines(log, '').map(({ text }) => text)).toEqual(log.split('\n'))
  expect(foundLines(log, 'absent')).toEqual([])
})
