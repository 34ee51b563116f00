import { expect, test } from 'vitest'
import type { CastEvent } from './asciicast.ts'
import { screenLines } from './draw-screen.ts'
import { eventsUntil, openReplay, timelineOf } from './replay.ts'

const output = (at_ms: number, text: string): CastEvent => ({ at_ms, kind: 'output', text })

test('[SCREEN8] a replay has no idle stretch of more than two seconds, and knows its marks', () => {
  const events: CastEvent[] = [
    output(500, 'a'),
    { at_ms: 60_500, kind: 'mark', text: 'Turn 2' },
    output(61_000, 'b'),
    output(60_000, 'a clock that went back'),
    output(64_000, 'c'),
  ]
  const { times, marks, length_ms } = timelineOf(events)
  expect(times).toEqual([500, 2500, 3000, 3000, 5000])
  expect([marks, length_ms]).toEqual([[{ at_ms: 2500, event: 1, label: 'Turn 2' }], 5000])
  expect([0, 500, 2999, 3000, 9999].map((at) => eventsUntil(times, at))).toEqual([0, 1, 2, 4, 5])
  expect(timelineOf([])).toEqual({ times: [], marks: [], length_ms: 0 })
})

test('[SCREEN8] any place of a recording shows the same screen, reached from before it or from behind', () => {
  const filler = `${'x'.repeat(78)}\r\n`.repeat(500)
  const events = Array.from({ length: 60 }, (_, at): CastEvent[] => [
    output(at, `${filler}step ${at}`),
    { at_ms: at, kind: 'mark', text: 'm' },
  ]).flat()
  events.splice(40, 0, { at_ms: 20, kind: 'resize', text: '60x10' })
  const straight = openReplay({ columns: 80, rows: 24 }, events)
  const expected = events.map((_, at) => screenLines(straight.at(at + 1)).join('\n'))
  expect([expected[0]!.split('\n').length, expected.at(-1)!.split('\n').length]).toEqual([24, 10])
  const jumps = openReplay({ columns: 80, rows: 24 }, events)
  for (const at of [120, 3, 90, 89, 41, 40, 39, 1, 0, 60, 119]) expect(screenLines(jumps.at(at + 1)).join('\n')).toBe(expected[at])
  expect(screenLines(jumps.at(0)).join('')).toBe('')
})
