import { expect, test } from 'vitest'
import { readRecords } from './read-records.ts'
import { BadArchive } from './read-zip.ts'
import { sampleBundle, sampleRun } from './testing/sample-run.ts'

test('[EXP64] the records of a bundle come out as they went in, with the spec they belong to', async () => {
  const sample = sampleRun(3)
  const { spec, records } = readRecords(await sampleBundle(sample))
  expect([...records]).toEqual(sample.records)
  const { owner_id: _, ...asked } = sample.run.spec
  expect(spec).toEqual(asked)
})

test('[EXP64] anything that is no bundle of ours is refused', async () => {
  expect(() => readRecords(new TextEncoder().encode('no archive'))).toThrow(BadArchive)
  const bytes = await sampleBundle(sampleRun(3))
  expect(() => readRecords(bytes.subarray(0, bytes.length - 9))).toThrow(BadArchive)
  expect(() => readRecords(bytes, { in_bytes: 100, out_bytes: 100, ratio: 1, entries: 4 })).toThrow('100 bytes')
})
