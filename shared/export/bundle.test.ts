import { expect, test } from 'vitest'
import type { TrialRecord } from '../contract/trial.ts'
import { bundleName, IncompleteRecord, writeBundle } from './bundle.ts'
import { BundleLine, type Results } from './bundle-schema.ts'
import { withoutText } from './export-item.ts'
import { unpack } from './testing/forge.ts'
import { exportedAt, pagesOf, sampleBundle, sampleClaims, sampleRun, trusting, vectorKey } from './testing/sample-run.ts'
import { verifyBundle } from './verify.ts'
import { openWithhold } from './withhold.ts'

const sample = sampleRun(3)
const linesOf = (members: Record<string, string>) =>
  members['items.jsonl']!.split('\n')
    .slice(0, -1)
    .map((line) => BundleLine.parse(JSON.parse(line)))

test("[EXP10] results carry every field of the predecessor's, and the records stand apart, a line each", async () => {
  const members = await unpack(await sampleBundle(sample))
  const results: Results = JSON.parse(members['results.json']!)
  expect(Object.keys(results)).toEqual(expect.arrayContaining(['schema_version', 'exported_at', 'run', 'benchmarks']))
  const runFields =
    'id model_id model_slug provider subset_pct subset_count subset_seed status selected_benchmarks overall_score error_message provider_metadata started_at completed_at created_at code_version git_sha'
  const benchmarkFields = 'benchmark_name status score metrics total_items sampled_items completed_items sampled_item_ids items'
  expect(Object.keys(results.run)).toEqual(expect.arrayContaining(runFields.split(' ')))
  expect(Object.keys(results.benchmarks[0]!)).toEqual(expect.arrayContaining(benchmarkFields.split(' ')))
  expect(results.benchmarks[0]).toMatchObject({
    completed_items: 6,
    sampled_items: 3,
    total_items: 6,
    sampled_item_ids: ['0', '1', '2'],
    score: 4 / 6,
  })
  expect(results.run).toMatchObject({
    created_at: '2026-03-04T05:00:00Z',
    subset_seed: 'säed 🙂',
    error_message: '1 of 7 trials could not be scored',
  })
  expect(linesOf(members).map(({ record }) => record)).toEqual(sample.records)
  expect(Object.keys(members)).toEqual(['items.jsonl', 'results.json', 'manifest.json', 'signature.txt', 'public_key.txt'])
  expect(Object.keys(JSON.parse(members['manifest.json']!))).toEqual(
    expect.arrayContaining(['schema_version', 'run_id', 'generated_at', 'results_sha256', 'signature_algorithm', 'public_key_fingerprint']),
  )
  expect(members['public_key.txt']).toBe(vectorKey.public_key)
  expect(JSON.stringify(members)).not.toContain('owner-secret')
  expect(bundleName('r1', '2026-03-04T05:06:07Z')).toBe('benchmark_results_r1_20260304_050607.zip')
})

test('[EXP11] the bundle is the same however its trials were paged', async () => {
  const [one, three, all] = await Promise.all([1, 3, 100].map((size) => sampleBundle(sample, vectorKey, size)))
  expect(Buffer.compare(one!, three!) + Buffer.compare(one!, all!)).toBe(0)
})

test('[EXP11] a large run is read page by page and leaves in pieces', async () => {
  const large = sampleRun(2500, undefined, 'so far, so good '.repeat(20))
  let pages = 0
  let most = 0
  const counted = pagesOf(large.records, 250)
  const lengths: number[] = []
  const pieces: Uint8Array[] = []
  for await (const piece of writeBundle(sampleClaims(large.run), (benchmark) => watch(counted(benchmark)), vectorKey)) {
    lengths.push(piece.length)
    pieces.push(piece)
    most = Math.max(most, piece.length)
  }
  async function* watch<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
    for await (const page of source) {
      pages++
      yield page
    }
  }
  expect([pages, lengths.length > 2, most < 2 ** 20]).toEqual([21, true, true])
  const report = await verifyBundle(new Uint8Array(Buffer.concat(pieces)), trusting(vectorKey))
  expect([report.valid, report.items, report.errors]).toEqual([true, 5001, []])
})

test('[EXP11] nothing is signed when the stored trials are not those the run counted', async () => {
  const missing = { run: sample.run, records: sample.records.slice(1) }
  await expect(sampleBundle(missing)).rejects.toThrow(IncompleteRecord)
  await expect(sampleBundle(missing)).rejects.toThrow('letters: 6 trials are counted, 5 are stored')
})

test('[EXP20] texts of withheld benchmarks leave as salted digests only', async () => {
  const run = sampleRun(3)
  run.run.spec.benchmarks[0]!.gated = true
  const withhold = await openWithhold(vectorKey, run.run.spec.run_id, new Set(['letters']))
  const pieces: Uint8Array[] = []
  for await (const piece of writeBundle(sampleClaims(run.run), pagesOf(run.records), vectorKey, { withhold })) pieces.push(piece)
  const bundle = new Uint8Array(Buffer.concat(pieces))
  const members = await unpack(bundle)
  const letters = linesOf(members).filter(({ record }) => record.benchmark === 'letters')
  expect(members['items.jsonl']!.match(/Question/g)).toHaveLength(1)
  for (const { record } of letters) expect(record).toMatchObject({ messages: [], evidence: null, expected: null, answer: null })
  const digests = letters.map((item) => item.withheld_sha256)
  expect([new Set(digests).size, digests[0] === withhold(run.records[0]!)]).toEqual([6, true])
  const elsewhere = await openWithhold(vectorKey, 'another run', new Set(['letters']))
  expect(elsewhere(run.records[0]!)).not.toBe(digests[0])
  const report = await verifyBundle(bundle, { ...trusting(vectorKey), now: exportedAt })
  expect(report.errors).toEqual([])
  expect(report.checks.find((check) => check.name === 'scores')?.detail).toContain('6 are of gated data and withheld')
})

const judgeSpent = {
  model: 'lab/judge',
  model_reported: 'judge-1',
  usage: { input_tokens: 100, output_tokens: 3, cached_tokens: 0, reasoning_tokens: 0 },
  cost_usd: 0.5,
  calls: 1,
}
const judged = (record: TrialRecord): TrialRecord =>
  record.evidence?.kind === 'completion'
    ? {
        ...record,
        detail: { confidence: 90, extracted: 'Beta', calibrated: true },
        evidence: { ...record.evidence, kind: 'judged', judge: { model: 'lab/judge', replies: ['hm', 'YES'] } },
        roles: { judge: judgeSpent },
      }
    : record

test("[RUN42] a bundle names the judge's replies with every item, sums what judging took apart, and says nothing of it where nothing was judged", async () => {
  const sample = sampleRun(3, (records) => records.map(judged))
  const members = await unpack(await sampleBundle(sample))
  const results: Results = JSON.parse(members['results.json']!)
  const n = sample.records.filter((record) => record.roles).length
  expect(linesOf(members)[0]!.record.evidence).toMatchObject({ judge: { model: 'lab/judge', replies: ['hm', 'YES'] } })
  expect(results.totals.roles?.judge).toEqual({
    usage: { ...judgeSpent.usage, input_tokens: 100 * n, output_tokens: 3 * n },
    cost_usd: 0.5 * n,
  })
  const { roles: _roles, ...totals } = results.totals
  const plain: Results = JSON.parse((await unpack(await sampleBundle(sampleRun(3))))['results.json']!)
  expect(plain.totals).toEqual(totals)
})

test('[RUN42] what a judge saw and said of a gated item leaves with its text; what judging took stays', () => {
  const bare = withoutText(judged(sample.records[0]!))
  expect(bare).toMatchObject({ evidence: null, detail: {}, roles: { judge: { ...judgeSpent, model_reported: null } } })
})
