import { expect, test } from 'vitest'
import type { LiveTold } from '#shared/contract/live.ts'
import type { Step } from '#shared/contract/transcript.ts'
import { handClock } from '#shared/run/testing/hand-clock.ts'
import { copyScreen, openScreen } from '#shared/terminal/screen.ts'
import { writeOutput } from '#shared/terminal/write-output.ts'
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

test('[LIVE4] a terminal is looked at only while somebody watches, no more often than it says, and told when it looks otherwise', async () => {
  const { clock, told, teller, trial } = open()
  const screen = openScreen({ columns: 10, rows: 2 })
  let looks = 0
  let fails = false
  trial.show({
    every_ms: 1000,
    look: async () => {
      looks++
      if (fails) throw new Error('the machine is gone')
      return copyScreen(screen)
    },
  })
  teller.begin(trial)
  clock.advance(5000)
  expect(looks).toBe(0)
  teller.watch([{ ordinal: 3, attempt: 2, watch: 7 }])
  const pass = async (ms: number) => {
    for (let at = 0; at < ms; at += 200) {
      clock.advance(200)
      await Promise.resolve()
    }
  }
  await pass(2000)
  expect(looks).toBe(3)
  const texts = () => told.flatMap(({ entries }) => entries.flatMap((one) => (one.type === 'screen' ? [one.text] : [])))
  expect(texts()).toHaveLength(1)
  writeOutput(screen, '$ ls')
  await pass(1200)
  expect(texts()[1]).toContain('$ ls')
  fails = true
  await pass(1200)
  fails = false
  writeOutput(screen, ' -l')
  await pass(1200)
  expect(texts()[2]).toContain('$ ls -l')
  teller.watch([])
  const before = looks
  await pass(3000)
  expect(looks).toBe(before)
})
