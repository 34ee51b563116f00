import { expect, test } from 'vitest'
import type { TrialRecord } from '../contract/trial.ts'
import { bytesSource } from './byte-source.ts'
import { readRecords } from './read-records.ts'
import { BadArchive } from './read-zip.ts'
import { sampleBundle, sampleRun } from './testing/sample-run.ts'

const sample = sampleRun(3)
const bundle = await sampleBundle(sample)

test('[EXP64] the records come out as they went in, with the spec they belong to', async () => {
  const { spec, records } = await readRecords(bytesSource(bundle))
  const read: TrialRecord[] = []
  for await (const record of records()) read.push(record)
  expect(read).toEqual(sample.records)
  const { owner_id: _, ...asked } = sample.run.spec
  expect(spec).toEqual(asked)
})

test('[EXP64] anything that is no bundle of ours is refused', async () => {
  for (const bytes of [new TextEncoder().encode('no archive'), bundle.subarray(0, bundle.length - 9)])
    await expect(readRecords(bytesSource(bytes))).rejects.toThrow(BadArchive)
})
