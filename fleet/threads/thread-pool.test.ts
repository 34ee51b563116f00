import { expect, onTestFinished, test } from 'vitest'
import { handClock } from '#shared/run/testing/hand-clock.ts'
import { createThreadPool } from './thread-pool.ts'
import { ThreadTrouble } from './thread-trouble.ts'

const entry = new URL('./testing/odd-jobs.ts', import.meta.url)

const idleMs = 5_000

function poolOf(threads: number, memoryMb = 64) {
  const clock = handClock()
  const pool = createThreadPool({ entry, threads, memoryMb, idleMs, clock })
  onTestFinished(() => pool.close())
  return { pool, clock }
}

const reasonOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    (value) => value,
    (error: unknown) => (error instanceof ThreadTrouble ? error.reason : error),
  )

test('[FLEET96] jobs are done on at most so many threads beside this one, in the order they came, and threads are kept', async () => {
  const { pool } = poolOf(2)
  expect(await Promise.all([1, 2, 3, 4, 5].map((given) => pool.run('double', given)))).toEqual([2, 4, 6, 8, 10])
  const ids = await Promise.all(Array.from({ length: 20 }, () => pool.run('thread', null)))
  expect(new Set(ids).size).toBeLessThanOrEqual(2)
  expect(ids).not.toContain(0)
})

test('[FLEET97] a job that throws, dies, takes too long or eats too much says which; the next one is done', async () => {
  const { pool, clock } = poolOf(1)
  const thrown = await pool.run('fail', 'no such table').catch((error: unknown) => error)
  expect(thrown).toMatchObject({ name: 'ThreadTrouble', reason: 'thrown', message: 'no such table' })
  expect(await reasonOf(pool.run('absent', null))).toBe('thrown')

  const died = await pool.run('leave', 3).catch((error: unknown) => error)
  expect(died).toMatchObject({ reason: 'died', message: expect.stringContaining('ended with code 3') })
  expect(await pool.run('double', 4)).toBe(8)

  const spinning = reasonOf(pool.run('spin', null, { deadlineMs: 60_000 }))
  const behind = pool.run('double', 21)
  clock.advance(59_999)
  expect(clock.timers()).toBe(1)
  clock.advance(1)
  expect([await spinning, await behind]).toEqual(['deadline', 42])

  expect(await reasonOf(pool.run('eat', null))).toBe('memory')
  expect(await pool.run('double', 5)).toBe(10)
  expect(clock.timers()).toBe(1) // of the thread that rests
})

test('[FLEET100] a thread that has had no job for five seconds is ended, and the next job starts another', async () => {
  const { pool, clock } = poolOf(1)
  const first = await pool.run('thread', null)
  clock.advance(idleMs - 1)
  expect(await pool.run('thread', null)).toBe(first)
  clock.advance(idleMs)
  expect(await pool.run('thread', null)).not.toBe(first)
  expect(clock.timers()).toBe(1)
})

test('[FLEET97] a job that is no longer wanted ends with its reason, in work or waiting, and holds up none behind it', async () => {
  const { pool } = poolOf(1)
  const [now, later] = [new AbortController(), new AbortController()]
  const working = reasonOf(pool.run('never', null, { signal: now.signal }))
  const waiting = reasonOf(pool.run('double', 1, { signal: later.signal }))
  const behind = pool.run('double', 3)
  later.abort('not this one')
  now.abort('nor that')
  expect([await working, await waiting, await behind]).toEqual(['nor that', 'not this one', 6])
  expect(await reasonOf(pool.run('double', 1, { signal: now.signal }))).toBe('nor that')
})

test('[FLEET97] what cannot be copied is refused and its thread goes on; a pool that is closed has no job left', async () => {
  const { pool } = poolOf(1)
  expect(await reasonOf(pool.run('double', () => 1))).toBeInstanceOf(Error)
  const working = reasonOf(pool.run('never', null))
  const waiting = reasonOf(pool.run('double', 1))
  await pool.close()
  expect([await working, await waiting]).toEqual(['died', 'died'])
})
