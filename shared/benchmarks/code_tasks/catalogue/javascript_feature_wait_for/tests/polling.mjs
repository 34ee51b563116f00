import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const stringify = JSON.stringify
const observe = (name, value) => writeSync(1, `\n@@ ${name} ${stringify(value)}\n`)
const { createClock } = await import('./clock.mjs')
const load = (path) => import(pathToFileURL(join(process.cwd(), path)).href)

const { waitFor, TimeoutError } = await load('src/wait-for.js')

/** Runs one wait on a clock of ours, and tells what happened when. */
async function watch(check, options = {}, time = 5000, during = () => {}) {
  const clock = createClock()
  const calls = []
  const attempts = []
  let settled = null
  const promise = waitFor(
    (state) => {
      calls.push([state.attempt, state.elapsed, clock.now() - 1000])
      return check(state, clock)
    },
    { clock, onAttempt: ({ attempt, elapsed, ok, value, error }) => attempts.push([attempt, elapsed, ok, value ?? null, error?.message ?? null]), ...options },
  )
  const first = calls.length
  promise.then(
    (value) => { settled = ['value', value, clock.now() - 1000] },
    (error) => { settled = [error?.name ?? String(error), error?.message ?? null, clock.now() - 1000, error instanceof TimeoutError ? [error.attempts, error.elapsed, error.cause?.message ?? null] : null] },
  )
  during(clock)
  await clock.pass(time)
  return { first, calls, attempts, settled, left: clock.pending() }
}
const later = (clock, delay, value, fails = false) => new Promise((resolve, reject) => clock.setTimer(() => (fails ? reject(value) : resolve(value)), delay))

observe('at_once', await watch(() => 'open'))
observe('third', await watch(({ attempt }) => attempt === 3 && { door: attempt }))
observe('values', [await watch(() => [], {}, 10), await watch(() => -1, {}, 10), await watch(({ attempt }) => (attempt > 1 ? ' ' : ''), {}, 100), await watch(({ attempt }) => [0, null, undefined, NaN, '', false, 'x'][attempt - 1], { interval: 7 })])
for (const [name, options] of Object.entries({
  plain: {}, short: { timeout: 120 }, exact: { timeout: 100 }, none: { timeout: 0 }, slow: { timeout: 30 },
  growing: { timeout: 1000, interval: 10, factor: 2 }, capped: { timeout: 400, interval: 10, factor: 3, maxInterval: 60 }, small_cap: { timeout: 100, interval: 50, maxInterval: 20, factor: 2 }, fraction: { timeout: 20, interval: 2, factor: 1.5 },
})) observe(`pauses_${name}`, await watch(() => false, options))
observe('eager', await watch(({ attempt }) => attempt === 9, { interval: 0, timeout: 5 }))
observe('endless', await watch(({ attempt }) => attempt === 60 && 'late', { timeout: Infinity, interval: 100 }, 10000))
observe('last_attempt', await watch(({ elapsed }) => elapsed >= 120 && elapsed, { timeout: 120 }))
observe('asynchronous', await watch(({ attempt }, clock) => later(clock, 30, attempt === 3 && 'slow'), { timeout: 400, interval: 20 }))
observe('asynchronous_growing', await watch(({ attempt }, clock) => later(clock, attempt * 10, 0), { timeout: 200, interval: 10, factor: 2 }))
observe('thenable', await watch(() => ({ then: (resolve) => resolve('thenable') })))
observe('mixed', await watch(({ attempt }, clock) => (attempt % 2 ? later(clock, 15, null) : attempt === 4), { interval: 10 }))
