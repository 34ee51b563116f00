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

const storm = new Error('storm')
observe('throwing', await watch(({ attempt }) => { if (attempt < 3) throw new Error(`gust ${attempt}`); return 'calm' }))
observe('throwing_on', await watch(({ attempt }) => { throw new Error(`gust ${attempt}`) }, { timeout: 120 }))
observe('cause_forgotten', await watch(({ attempt }) => { if (attempt === 1) throw storm; return false }, { timeout: 60 }))
observe('rejecting', await watch(({ attempt }, clock) => later(clock, 20, new Error(`gust ${attempt}`), true), { timeout: 150, interval: 10 }))
observe('rethrow', [await watch(() => { throw storm }, { rethrow: true }), await watch(({ attempt }, clock) => attempt > 1 && later(clock, 5, storm, true), { rethrow: true }), await watch(({ attempt }) => attempt > 2, { rethrow: true })])
observe('pending_at_timeout', [await watch((_, clock) => later(clock, 500, 'late'), { timeout: 100 }), await watch(({ attempt }, clock) => attempt > 1 && later(clock, 500, storm, true), { timeout: 100, interval: 30 }), await watch((_, clock) => later(clock, 100, 'late'), { timeout: 0 }), await watch(() => new Promise(() => {}), { timeout: 80 }), await watch((_, clock) => later(clock, 79, 'just'), { timeout: 80 })])
observe('watching', [
  await watch(({ attempt }) => attempt > 3, { onAttempt: ({ attempt }) => { if (attempt === 2) throw storm } }),
  await watch(() => 'fine', { onAttempt: () => { throw storm } }),
  await watch(() => { throw new Error('other') }, { rethrow: true, onAttempt: () => { throw storm } }),
])

const abortAt = (controller, delay, reason) => (clock) => void clock.setTimer(() => controller.abort(reason), delay)
const listening = (signal) => {
  let count = 0
  const add = signal.addEventListener.bind(signal)
  const remove = signal.removeEventListener.bind(signal)
  signal.addEventListener = (...given) => { count++; add(...given) }
  signal.removeEventListener = (...given) => { count--; remove(...given) }
  return () => count
}
const results = []
for (const [delay, check, options] of [
  [75, () => false, {}],
  [10, (_, clock) => later(clock, 1000, 'late'), {}],
  [10, (_, clock) => later(clock, 500, storm, true), { rethrow: true }],
  [120, () => false, { timeout: 100 }],
]) {
  const controller = new AbortController()
  const result = await watch(check, { ...options, signal: controller.signal }, 5000, abortAt(controller, delay, new Error(`left at ${delay}`)))
  results.push(result)
}
observe('aborting', results)
const aborted = AbortSignal.abort(storm)
observe('aborted_before', [await watch(() => 'never', { signal: aborted }), await watch(() => 'never', { signal: AbortSignal.abort('plain words') })])
const counts = []
for (const [check, options] of [[() => 1, {}], [() => 0, { timeout: 60 }], [() => { throw storm }, { rethrow: true }], [(_, clock) => later(clock, 500, 1), { timeout: 20 }]]) {
  const { signal } = new AbortController()
  const count = listening(signal)
  const { settled, left } = await watch(check, { ...options, signal }, 5000)
  counts.push([settled[0], left, count() <= 0])
}
observe('listeners', counts)
const inside = new AbortController()
observe('abort_inside', await watch(({ attempt }) => { if (attempt === 2) inside.abort(new Error('from inside')); return false }, { signal: inside.signal }))

const refusals = []
for (const given of [[7], [undefined], [() => 1, { timeout: -1 }], [() => 1, { timeout: NaN }], [() => 1, { timeout: '5' }], [() => 1, { interval: -1 }], [() => 1, { interval: Infinity }], [() => 1, { interval: null }], [() => 1, { factor: 0.5 }], [() => 1, { factor: Infinity }], [() => 1, { maxInterval: -1 }], [() => 1, { maxInterval: NaN }], [null, { timeout: -1 }], [() => 1, { timeout: -1, interval: -1 }], [() => 1, { interval: -1, factor: 0 }]]) {
  let called = 0
  const [check, options] = given
  const promise = waitFor(typeof check === 'function' ? () => { called++; return 1 } : check, options)
  refusals.push([await promise.then(() => 'accepted', (error) => `${error.constructor.name}: ${error.message}`), called])
}
observe('refused', refusals)
observe('real_clock', [await waitFor(({ attempt }) => attempt === 3 && 'real', { interval: 1, timeout: 20000 }), await waitFor(() => false, { timeout: 5, interval: 2 }).catch((error) => [error.name, error.elapsed >= 4, error.message.startsWith('condition not met within 5 ms (')])])
