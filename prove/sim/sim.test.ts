import { expect, test } from 'vitest'
import { drawn, someOf } from '#shared/testing/draws.ts'
import { planted } from './planted.ts'
import { hunt, playSeeds } from './play-seeds.ts'
import type { WorldResult } from './world.ts'

const events = 5000
/** Worlds take their time where others want the cores too. */
const timeout = 900_000
const again = ({ seed, breaches }: WorldResult): string => `npm run prove -- sim --seed ${seed} --events ${events}: ${breaches[0]}`

test('[SIM1] all invariants hold after every event of all seeds with kills, losses, duplicates and pauses', { timeout }, async () => {
  const worlds = await playSeeds(
    Array.from({ length: drawn(10) }, (_, n) => n + 1),
    events,
  )
  expect(worlds.filter(({ breaches }) => breaches.length > 0).map(again)).toEqual([])
  // The worlds must be what they claim to be: full of faults, and most of them brought to an end.
  expect(worlds.reduce((sum, { kills }) => sum + kills, 0)).toBeGreaterThan(10 * worlds.length)
  expect(new Set(worlds.map(({ status }) => status))).toContain('succeeded')
  expect(worlds.every((world) => world.events >= events || world.status !== 'running')).toBe(true)
})

/** Four of the planted bugs, drawn at random. `npm run prove -- sim --mutants` hunts all bugs. */
const hunted = someOf(planted, 4)

test.concurrent.each(hunted)('[SIM2] a planted bug is found within 200 seeds: $name', { timeout }, async (bug) => {
  expect((await hunt(bug, 200, events))?.breach).toMatch(/^I\d+: /)
})

test('[SIM11] more trials at work than the run allows are seen, counted over all agents by the leases they have', { timeout }, async () => {
  const granted = planted.find(({ name }) => name === 'an agent is granted what others have at work')!
  expect((await hunt(granted, 200, events))?.breach).toMatch(/^I13: (\d+) trials are at work, the run allows \d+/)
})

test('[SIM3] a seed plays the same world every time', { timeout }, async () => {
  const [once, again] = await Promise.all([playSeeds([1, 23, 77], events), playSeeds([1, 23, 77], events)])
  expect(once).toEqual(again)
  expect(once[0]!.events).not.toBe(once[1]!.events)
})
