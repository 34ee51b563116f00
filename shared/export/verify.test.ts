import { zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { TableMissing } from '../scorers/tables.ts'
import { pack, unpack } from './testing/forge.ts'
import {
  otherKey,
  sampleBundle,
  sampleMetrics,
  samplePlan,
  sampleRun,
  sampleScore,
  sampleTasks,
  trusting,
  vectorKey,
} from './testing/sample-run.ts'
import { verifyBundle } from './verify.ts'
import { predecessorMembers } from './verify-predecessor.ts'
import type { CheckName, VerifyReport } from './verify-report.ts'
import { openArchive } from './write-zip.ts'

const failed = (report: VerifyReport): CheckName[] => report.checks.filter((check) => check.ok === false).map((check) => check.name)
const sample = await sampleBundle(sampleRun(3))

test('[EXP12] a bundle passes every check, computed anew', async () => {
  const report = await verifyBundle(sample, trusting(vectorKey))
  expect(report).toMatchObject({
    valid: true,
    signature_valid: true,
    hash_match: true,
    errors: [],
    items: 7,
    rescored: 6,
    format: 'bundle',
  })
  expect(report.checks.filter((check) => check.ok !== true).map((check) => check.name)).toEqual([])
  expect(report).toMatchObject({
    run_id: '0b7c2d4e-1f3a-4b5c-8d6e-7f8091a2b3c4',
    model_slug: 'example/tiny-model',
    subset_pct: 50,
    subset_count: null,
    subset_seed: 'säed 🙂',
    exported_at: '2026-03-04T05:06:07Z',
    benchmark_count: 2,
    labels: ['demo', 'sample'],
    public_key_fingerprint: vectorKey.fingerprint,
  })
})

test('[EXP12] what cannot be computed is listed as not made and does not fail', async () => {
  const { trustedKeys } = trusting(vectorKey)
  const bare = await verifyBundle(sample, { trustedKeys })
  const left = bare.checks.filter((check) => check.ok === null).map((check) => check.name)
  expect([bare.valid, left]).toEqual([true, ['dates', 'scores', 'metrics']])
  const unknown = await verifyBundle(sample, { trustedKeys, tasks: async () => undefined })
  expect(unknown.checks.find((check) => check.name === 'scores')).toMatchObject({ ok: null, detail: 'no scorer here for letters' })
  const newer = await verifyBundle(sample, {
    trustedKeys,
    tasks: async (name) => ({ ...(await sampleTasks(name))!, card: { version: 2 } }),
  })
  expect([newer.valid, newer.rescored]).toEqual([true, 0])
})

test('[EXP12] a check that was made for a part says so, and the results stand with their limits', async () => {
  const options = trusting(vectorKey)
  const whole = await verifyBundle(sample, options)
  expect(
    whole.results.map(({ benchmark_name, right, wrong, failed, unfinished }) => [benchmark_name, right + wrong + failed, unfinished]),
  ).toEqual([
    ['letters', 6, 0],
    ['digits', 1, 0],
  ])
  for (const { score, low, high } of whole.results) if (low !== null && high !== null) expect(low <= score! && score! <= high).toBe(true)
  let scored = 0
  const withoutTable = (...given: Parameters<typeof sampleScore>) => {
    if (scored++ === 0) throw new TableMissing('punkt_english')
    return sampleScore(...given)
  }
  const partly = await verifyBundle(sample, { ...options, tasks: async () => ({ score: withoutTable, card: { version: 1 } }) })
  expect([partly.valid, partly.checks.filter((check) => check.partial).map((check) => check.name)]).toEqual([true, ['scores']])
  const forged = await verifyBundle(new Uint8Array([...sample, 0]), options)
  expect(forged.results).toEqual([])
})

test('[EXP14] only pinned keys are trusted, never the one inside', async () => {
  const byOther = await sampleBundle(sampleRun(3), otherKey)
  const refused = await verifyBundle(byOther, trusting(vectorKey))
  expect([refused.valid, refused.signature_valid, failed(refused)]).toEqual([false, false, ['key']])
  expect((await verifyBundle(byOther, trusting(vectorKey, otherKey))).valid).toBe(true)
  expect(failed(await verifyBundle(sample, { trustedKeys: [] }))).toEqual(['key'])
  const swapped = await verifyBundle(
    await pack({ ...(await unpack(sample)), 'public_key.txt': otherKey.public_key }),
    trusting(vectorKey, otherKey),
  )
  expect([swapped.valid, failed(swapped)]).toEqual([false, ['key']])
  const lying = trusting(vectorKey).trustedKeys.map((key) => ({ ...key, public_key: otherKey.public_key }))
  expect((await verifyBundle(byOther, { trustedKeys: lying })).valid).toBe(false)
})

test('[EXP14] a retired key verifies what it signed while in use, and nothing later', async () => {
  const retiredAt = async (retired_at: string) => {
    const options = trusting(vectorKey)
    return verifyBundle(sample, { ...options, trustedKeys: options.trustedKeys.map((key) => ({ ...key, retired_at })) })
  }
  expect((await retiredAt('2026-03-04T05:06:08Z')).valid).toBe(true)
  expect(failed(await retiredAt('2026-03-04T05:06:06Z'))).toEqual(['key'])
})

test('[EXP18] numbers are shown only when the results are the signed ones', async () => {
  const members = await unpack(sample)
  const texts = { ...members, 'results.json': members['results.json']!.replace('"subset_pct":50', '"subset_pct":99') }
  const report = await verifyBundle(await pack(texts), trusting(vectorKey))
  expect(report).toMatchObject({ valid: false, signature_valid: true, hash_match: false, run_id: null, model_slug: null })
  expect(report).toMatchObject({ subset_pct: null, overall_score: null, items: 0, results: [] })
  expect(report.checks.filter((check) => check.detail === 'not reached').map((check) => check.name)).toContain('aggregates')
})

test('[EXP9] anything that is no bundle is a report, not an exception', async () => {
  const bomb = zipSync(Object.fromEntries(predecessorMembers.map((name) => [name, new Uint8Array(20 * 2 ** 20)])))
  const texts = await unpack(sample)
  const inputs = [
    new Uint8Array(),
    new TextEncoder().encode('<html>'),
    bomb,
    zipSync({}),
    openArchive().end(),
    await pack({ ...texts, 'manifest.json': '[]' }),
    await pack({ ...texts, 'manifest.json': '['.repeat(100_000) }),
  ]
  for (const bytes of inputs) {
    const report = await verifyBundle(bytes, trusting(vectorKey))
    expect([report.valid, report.errors.length, report.run_id]).toEqual([false, 1, null])
  }
})

test('[EXP15] the metrics given are those that are asked', async () => {
  const asked: unknown[] = []
  const computeMetrics: typeof sampleMetrics = (names, rows, options) => {
    asked.push([names, rows.length, options.total_items])
    return sampleMetrics(names, rows, options)
  }
  await verifyBundle(sample, { ...trusting(vectorKey), computeMetrics, plan: samplePlan })
  expect(asked).toEqual([
    [['accuracy'], 6, 6],
    [['accuracy'], 1, 1],
  ])
})

test('[RUN40] evidence of another kind than the benchmark has is not scored', async () => {
  const card = { version: 1, evidence: 'judged' as const }
  const report = await verifyBundle(sample, { ...trusting(vectorKey), tasks: async () => ({ ...(await sampleTasks('letters'))!, card }) })
  expect(report.checks.find((check) => check.name === 'scores')).toMatchObject({
    ok: false,
    detail: 'letters item 0, epoch 0: its evidence is completion, its scorer reads judged',
  })
})
