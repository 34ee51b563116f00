import { expect, test } from 'vitest'
import { DatabaseAway } from '#db/store.ts'
import { readPatiently } from './patient-read.ts'

/** A read that fails so often and then gives the number of its call. */
function failing(times: number, error: Error) {
  let calls = 0
  return async () => {
    calls += 1
    if (calls <= times) throw error
    return calls
  }
}

test('[SIM8] a download goes on where it stopped when the database was away for a while', async () => {
  expect(await readPatiently(failing(2, new DatabaseAway('away')), [0, 0])).toBe(3)
  await expect(readPatiently(failing(3, new DatabaseAway('away')), [0, 0])).rejects.toThrow('away')
  await expect(readPatiently(failing(1, new TypeError('broken')), [0, 0])).rejects.toThrow('broken')
})
