import { expect, test } from 'vitest'
import { hunt } from './hunt.ts'
import { mutants } from './mutants.ts'
import { playWorld, type WorldResult } from './world.ts'

const events = 5000
const again = ({ seed, breaches }: WorldResult): string => `npm run prove -- sim --seed ${seed} --events ${events}: ${breaches[0]}`

test('[SIM1] all invariants hold after every event of 100 seeds with kills, losses, duplicates and pauses', () => {
  const worlds = Array.from({ length: 100 }, (_, n) => playWorld(n + 1, events))
  expect(worlds.filter(({ breaches }) => breaches.length > 0).map(again)).toEqual([])
  // The worlds must be what they claim to be: full of faults, and most of them brought to an end.
  expect(worlds.reduce((sum, { kills }) => sum + kills, 0)).toBeGreaterThan(1000)
  expect(new Set(worlds.map(({ status }) => status))).toContain('succeeded')
  expect(worlds.every((world) => world.events >= events || world.status !== 'running')).toBe(true)
})

test.each(mutants)('[SIM2] a planted bug is found within 200 seeds: %s', (mutant) => {
  expect(hunt(mutant, 200, events)?.breach).toMatch(/^I\d+: /)
})

test('[SIM3] a seed plays the same world every time', () => {
  for (const seed of [1, 23, 77]) expect(playWorld(seed, events)).toEqual(playWorld(seed, events))
  expect(playWorld(1, events).events).not.toBe(playWorld(2, events).events)
})
