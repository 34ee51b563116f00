import { expect, test } from 'vitest'
import { type Held, slope, warmFigures } from './soak.ts'

const figure = (minute: number, mb: number): Held => ({ runs: minute * 3, minute, mb: { workerd: mb } })

test('[OBS430] a soak tells the slope of memory after the first ten minutes, in which everything gets warm', () => {
  // Memory doubles while things get warm, then grows by half a MiB a minute.
  const held = Array.from({ length: 60 }, (_, minute) => figure(minute, minute < 10 ? minute * 20 : 200 + (minute - 10) / 2))
  const late = warmFigures(held)
  expect([late[0]?.minute, late.length]).toEqual([10, 50])
  expect(slope(late.map(({ minute, mb }) => [minute, mb.workerd!]))).toBeCloseTo(0.5, 10)
  const short = warmFigures(held.slice(0, 12))
  expect(short.map(({ minute }) => minute)).toEqual([6, 7, 8, 9, 10, 11])
})
