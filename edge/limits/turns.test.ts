import { expect, test } from 'vitest'
import type { Bound } from './cost.ts'
import { openTurns } from './turns.ts'

const bound: Bound = { at_once: { all: 3, each: 2 }, waiting: { all: 2, each: 1 }, wait_ms: 100, retry_after_s: 1 }

/** Turns whose waiting goes on only when `pass` is called: each call is 20 ms for everybody. */
function open(given: Partial<Bound> = {}) {
  let asleep: (() => void)[] = []
  const turns = openTurns({ ...bound, ...given }, () => new Promise((resolve) => asleep.push(resolve)))
  const pass = async () => {
    const woken = asleep
    asleep = []
    for (const wake of woken) wake()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { take: turns.take, pass }
}

test('[ACC10] so many go on at once, and of one visitor so many; a turn that ends makes room for one', async () => {
  const { take } = open({ waiting: { all: 0, each: 0 } })
  const [first, second] = [await take('a'), await take('a')]
  expect([first, second, await take('a')].map(Boolean)).toEqual([true, true, false])
  expect([await take('b'), await take('c')].map(Boolean)).toEqual([true, false])
  first!.end()
  first!.end()
  expect([await take('c'), await take('c')].map(Boolean)).toEqual([true, false])
})

test('[ACC10] whoever finds room to wait gets the next turn; who is one too many, or waits in vain, gets none', async () => {
  const { take, pass } = open({ at_once: { all: 1, each: 1 } })
  const first = await take('a')
  const [waiting, vain] = [take('b'), take('c')]
  expect([await take('b'), await take('d')].map(Boolean)).toEqual([false, false])
  await pass()
  first!.end()
  await pass()
  expect(await waiting).toBeDefined()
  for (let time = 0; time < 5; time++) await pass()
  expect(await vain).toBeUndefined()
  // Nobody waits any more, so there is room again.
  const again = take('d')
  ;(await waiting)!.end()
  await pass()
  expect(await again).toBeDefined()
})
