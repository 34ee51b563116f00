import { expect, test } from 'vitest'
import type { Clock } from '#shared/run/clock.ts'
import { watchBlocks } from './watch-blocks.ts'

/** A clock whose one timer runs as late as the test says. */
function lateClock() {
  let nowMs = 0
  let timer: { run: () => void; at: number } | undefined
  const clock: Clock = {
    now: () => nowMs,
    after(ms, run) {
      const made = { run, at: nowMs + ms }
      timer = made
      return () => {
        if (timer === made) timer = undefined
      }
    },
  }
  const late = (ms: number): void => {
    if (!timer) throw new Error('no timer')
    // What has passed already is no reason to run earlier.
    nowMs = Math.max(nowMs, timer.at + ms)
    timer.run()
  }
  const pass = (ms: number): void => {
    nowMs += ms
  }
  return { clock, late, pass, runs: () => timer !== undefined }
}

test('[FLEET98] standstills of more than 50 ms are counted for ten minutes, with the longest', () => {
  const { clock, late, pass } = lateClock()
  const watch = watchBlocks(clock)
  for (const ms of [0, 49, 50, 3]) late(ms)
  expect(watch.blocks()).toEqual({ count: 0, longest_ms: 0 })
  for (const ms of [51, 0, 120.4, 60]) late(ms)
  expect(watch.blocks()).toEqual({ count: 3, longest_ms: 120 })
  pass(9 * 60_000)
  late(0) // the nine minutes are one standstill
  expect(watch.blocks()).toMatchObject({ count: 4 })
  expect(watch.blocks().longest_ms).toBeGreaterThan(9 * 60_000 - 50)
  pass(60_000)
  expect(watch.blocks()).toMatchObject({ count: 1 })
  pass(10 * 60_000)
  expect(watch.blocks()).toEqual({ count: 0, longest_ms: 0 })
})

test('[FLEET98] it ends when it is told to', () => {
  const { clock, runs } = lateClock()
  const watch = watchBlocks(clock)
  expect(runs()).toBe(true)
  watch.stop()
  expect(runs()).toBe(false)
})
