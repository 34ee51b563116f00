import { expect, test } from 'vitest'
import type { Likeness } from '../solvers/machine-sight.ts'
import { firstSight } from './first-sight.ts'
import { handOverPlace } from './log-places.ts'
import { type Answer, fileMachine, write } from './testing/file-machine.ts'

const told = `bash /usr/bin/bash program 1/9\n/ ${handOverPlace}\n`
const machineOf = (alike?: Likeness) => {
  const fake = fileMachine((argv): Answer | undefined => (argv.includes('--norc') ? [0, told] : undefined))
  return { ...fake, machine: { ...fake.machine, alike } }
}

test('[EPI41] what a machine has is looked at once for all that began as it did', async () => {
  const alike: Likeness = { sight: null }
  const [first, second] = [machineOf(alike), machineOf(alike)]
  const sight = await firstSight(first.machine, false)
  expect(sight).toMatchObject({ ok: true, value: { own_tests: false, tools: { empty: [handOverPlace] } } })
  expect(await firstSight(second.machine, false)).toEqual(sight)
  expect([first.requests.length, second.requests.length]).toEqual([1, 0])
})

test('[EPI41] a machine that something was put into since, or that is like no other, is looked at itself, and says nothing of others', async () => {
  const alike: Likeness = { sight: null }
  const [installed, next, alone] = [machineOf(alike), machineOf(alike), machineOf()]
  write(installed.files, '/tests/own', 'x')
  expect(await firstSight(installed.machine, true)).toMatchObject({ value: { own_tests: true } })
  expect(alike.sight).toBeNull()
  expect(await firstSight(next.machine, false)).toMatchObject({ value: { own_tests: false } })
  expect(await firstSight(installed.machine, true)).toMatchObject({ value: { own_tests: true } })
  expect(await firstSight(alone.machine, false)).toMatchObject({ ok: true })
  expect([installed, next, alone].map(({ requests }) => requests.length)).toEqual([2, 1, 1])
})

test('[EPI41] a machine that is gone has failed, and nothing is known of it', async () => {
  const alike: Likeness = { sight: null }
  const gone = { ...machineOf(alike).machine, exec: async () => ({ end: 'unavailable', exit_code: null, head: new Uint8Array(), tail: new Uint8Array(), omitted_bytes: 0 }) as const } // biome-ignore format: one machine, one line
  expect(await firstSight(gone, false)).toMatchObject({ ok: false, failure: { reason: 'unavailable' } })
  expect(alike.sight).toBeNull()
})
