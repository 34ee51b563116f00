import { expect, test } from 'vitest'
import { bundleLimits } from './bundle-limits.ts'
import type { Results } from './bundle-schema.ts'
import { listedItem } from './export-item.ts'
import { forge, unpack } from './testing/forge.ts'
import { sampleBundle, sampleRun, trusting, vectorKey } from './testing/sample-run.ts'
import { verifyBundle } from './verify.ts'

const fields =
  'created_at error expected input_tokens is_correct item_hash item_id item_metadata judge_output latency_ms output_tokens prompt response score test_code'

const resultsIn = async (bundle: Uint8Array): Promise<Results> => JSON.parse((await unpack(bundle))['results.json']!)

test("[LINE2] results list every trial in the predecessor's fifteen fields", async () => {
  const sample = sampleRun(3)
  const results = await resultsIn(await sampleBundle(sample))
  expect(results).toMatchObject({ schema_version: '1.0' })
  expect(results.items_file).toBeUndefined()
  const [letters, digits] = results.benchmarks
  expect([letters!.items.length, digits!.items.length]).toEqual([6, 1])
  expect(Object.keys(letters!.items[0]!).toSorted()).toEqual(fields.split(' '))
  expect(letters!.items[1]).toEqual(JSON.parse(JSON.stringify(listedItem(sample.records[1]!, letters!.items[1]!.created_at))))
})

test('[LINE2] beyond the bound the schema version is 1.1 and results name the file of the items', async () => {
  const lines = 7 // of both benchmarks
  const bundle = await sampleBundle(sampleRun(3, undefined, 'x'.repeat(bundleLimits.listed_bytes / (lines - 1))))
  const results = await resultsIn(bundle)
  expect(results).toMatchObject({ schema_version: '1.1', items_file: 'items.jsonl' })
  expect(results.benchmarks.map(({ items }) => items)).toEqual([[], []])
  expect((await verifyBundle(bundle, trusting(vectorKey))).valid).toBe(true)
})

test('[LINE2] a bundle that lists its items verifies; one with a listed item that was edited does not', async () => {
  const { run, records } = sampleRun(3)
  const options = trusting(vectorKey)
  const bundle = await sampleBundle({ run, records })
  expect((await verifyBundle(bundle, options)).valid).toBe(true)
  const edited = await forge(bundle, vectorKey, ({ results }) => Object.assign(results.benchmarks[0]!.items[0]!, { response: 'D' }))
  const report = await verifyBundle(edited, options)
  expect(report.valid).toBe(false)
  expect(report.checks.filter(({ ok }) => ok === false).map(({ name }) => name)).toEqual(['aggregates'])
})
