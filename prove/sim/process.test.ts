import { expect, test } from 'vitest'
import { createClock } from './clock.ts'
import { createLives } from './process.ts'

test('[SIM13] a program that stands still does nothing until it goes on, and then nothing of what was taken back', async () => {
  const world = createClock(0)
  const lives = createLives(world)
  const clock = lives.clock(0)
  const done: string[] = []
  const cancel = clock.after(10, () => done.push('taken back before its moment'))
  clock.after(20, () => {
    done.push('first')
    late()
  })
  const late = clock.after(30, () => done.push('taken back by what was due before it'))
  clock.after(40, () => done.push('last'))
  lives.freeze()
  cancel()
  while (await world.step());
  expect(done).toEqual([])
  lives.thaw()
  expect(done).toEqual(['first', 'last'])
})
