import { expect, test } from 'vitest'
import type { LiveTold } from '#shared/contract/live.ts'
import type { Step } from '#shared/contract/transcript.ts'
import { handClock } from '#shared/run/testing/hand-clock.ts'
import { createLiveTeller } from './live-teller.ts'
import { openLiveTrial } from './live-trial.ts'

const note = (text: string): Step => ({ type: 'note', at_ms: 1, text })

function open() {
  const clock = handClock()
  const told: LiveTold[] = []
  const teller = createLiveTeller(
    (one) => told.push(one),
    (text) => text,
    clock,
  )
  const steps: Step[] = []
  return { clock, told, teller, steps, trial: openLiveTrial({ ordinal: 3, attempt: 2 }, steps) }
}
const seen = (told: readonly LiveTold[]) => told.map(({ watch, from_start, entries }) => [watch, from_start, entries.length])

test('[LIVE4] nothing is told and no timer runs while nobody watches; then at most five times a second, and only what is new', () => {
  const { clock, told, teller, steps, trial } = open()
  const ended = teller.begin(trial)
  steps.push(note('a'))
  expect(clock.timers()).toBe(0)
  teller.watch([{ ordinal: 3, attempt: 2, watch: 7 }])
  expect(seen(told)).toEqual([[7, true, 1]])
  for (let ms = 0; ms < 1000; ms += 10) {
    steps.push(note('b'))
    clock.advance(10)
  }
  expect(told.length).toBe(6)
  clock.advance(5000)
  expect(told.length).toBe(6)
  ended()
  steps.push(note('after'))
  clock.advance(500)
  expect(told.length).toBe(6)
  teller.watch([])
  expect(clock.timers()).toBe(0)
})

test('[LIVE4] a trial that is watched under a new number is told from its start, one that stays is not, and one that has not begun when it does', () => {
  const { clock, told, teller, steps, trial } = open()
  teller.watch([{ ordinal: 3, attempt: 2, watch: 7 }])
  clock.advance(1000)
  expect(told).toEqual([])
  teller.begin(trial)
  teller.begin(openLiveTrial({ ordinal: 3, attempt: 1 }, []))
  clock.advance(200)
  expect(seen(told)).toEqual([[7, true, 0]]) // it has begun
  steps.push(note('a'))
  teller.watch([
    { ordinal: 3, attempt: 2, watch: 7 },
    { ordinal: 4, attempt: 1, watch: 8 },
  ])
  teller.watch([{ ordinal: 3, attempt: 2, watch: 9 }])
  expect(seen(told).slice(1)).toEqual([
    [7, false, 1],
    [9, true, 1],
  ])
})
