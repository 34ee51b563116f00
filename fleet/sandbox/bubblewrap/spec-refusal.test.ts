import { expect, test } from 'vitest'
import { contractSpec } from '../sandbox.contract.ts'
import { createBubblewrap } from './open-bubblewrap.ts'
import { refusalOf } from './spec-refusal.ts'

test('[SBX25] what is no number in its range is refused, never taken as no limit', () => {
  expect(refusalOf(contractSpec)).toBeNull()
  for (const name of ['cpus', 'memory_mb', 'disk_mb'] as const)
    for (const value of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 63])
      expect([name, value, refusalOf({ ...contractSpec, [name]: value })]).toEqual([
        name,
        value,
        expect.stringMatching(/^A sandbox has between /),
      ])
  expect(refusalOf({ ...contractSpec, disk_mb: 97 })).toContain('97 MB of disk need as much memory, not 96 MB')
})

test('[SBX25] an image or a network is refused for good: another kind of sandbox may have it', async () => {
  const bubblewrap = await createBubblewrap('bwrap', { missing: 'cannot limit memory' })
  const open = (changes: object) => bubblewrap.open({ ...contractSpec, ...changes }, new AbortController().signal)
  const refused = { at: 'sandbox', reason: 'denied', retryable: false }
  expect(await open({ image: 'python:3.11' })).toMatchObject({ ok: false, failure: refused })
  expect(await open({ network: true })).toMatchObject({
    ok: false,
    failure: { ...refused, detail: 'bubblewrap sandboxes have no network.' },
  })
  expect(await open({})).toMatchObject({
    ok: false,
    failure: { reason: 'unavailable', retryable: true, detail: 'This agent cannot limit memory.' },
  })
  bubblewrap.close()
})
