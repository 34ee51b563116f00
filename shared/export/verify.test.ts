import { spawnSync } from 'node:child_process'
import { zipSync } from 'fflate'
import { expect, test } from 'vitest'
import type { TrialRecord } from '../contract/trial.ts'
import { TableMissing } from '../scorers/tables.ts'
import type { BundleItem, Manifest, Results } from './bundle-schema.ts'
import { forge, pack, unpack } from './testing/forge.ts'
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
import type { CheckName, VerifyReport } from './verify-report.ts'
import { createZip, memberNames } from './zip.ts'

const python = spawnSync('python3', ['--version']).status === 0
if (!python) console.log('verify.test.ts: no python3 here, the archive it would make is skipped')

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
  expect(report.checks.filter((check) => check.ok !== true)).toEqual([])
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

test('[EXP13] every changed byte, every missing end and every added byte is refused', async () => {
  const small = await sampleBundle(sampleRun(1))
  const options = trusting(vectorKey)
  expect((await verifyBundle(small, options)).valid).toBe(true)
  const accepted: string[] = []
  for (let at = 0; at < small.length; at++) {
    for (const mask of [1 << (at % 8), 0xff]) {
      const changed = small.slice()
      changed[at]! ^= mask
      if ((await verifyBundle(changed, options)).valid) accepted.push(`${at} ^ ${mask}`)
    }
    if (at % 16 === 0 && (await verifyBundle(small.subarray(0, at), options)).valid) accepted.push(`cut at ${at}`)
  }
  if ((await verifyBundle(new Uint8Array([...small, 0]), options)).valid) accepted.push('appended')
  expect(accepted).toEqual([])
}, 120_000)

test('[EXP13] every changed character of a signed text is refused, even in an archive packed anew', async () => {
  const members = unpack(await sampleBundle(sampleRun(1)))
  const accepted: string[] = []
  for (const name of memberNames) {
    const text = members[name]
    for (let at = 0; at < text.length; at += name === 'results.json' ? 41 : 1) {
      const other = text[at] === 'x' ? 'y' : 'x'
      const changed = pack({ ...members, [name]: text.slice(0, at) + other + text.slice(at + 1) })
      if ((await verifyBundle(changed, trusting(vectorKey))).valid) accepted.push(`${name} ${at}`)
    }
  }
  expect(accepted).toEqual([])
}, 120_000)

test('[EXP13] the same members in another order or archive are refused', async () => {
  const members = unpack(sample)
  expect(Buffer.compare(pack(members), sample)).toBe(0)
  const reordered = await verifyBundle(
    pack(members, ['manifest.json', 'results.json', 'signature.txt', 'public_key.txt']),
    trusting(vectorKey),
  )
  expect(failed(reordered)).toEqual(['archive'])
  const bytes = Object.fromEntries(Object.entries(members).map(([name, text]) => [name, new TextEncoder().encode(text)]))
  expect(failed(await verifyBundle(zipSync(bytes), trusting(vectorKey)))).toEqual(['archive'])
})

test('[EXP14] only pinned keys are trusted, never the one inside', async () => {
  const byOther = await sampleBundle(sampleRun(3), otherKey)
  const refused = await verifyBundle(byOther, trusting(vectorKey))
  expect([refused.valid, refused.signature_valid, failed(refused)]).toEqual([false, false, ['key']])
  expect((await verifyBundle(byOther, trusting(vectorKey, otherKey))).valid).toBe(true)
  expect(failed(await verifyBundle(sample, { trustedKeys: [] }))).toEqual(['key'])
  const swapped = await verifyBundle(pack({ ...unpack(sample), 'public_key.txt': otherKey.public_key }), trusting(vectorKey, otherKey))
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

/** Edits of item `index`: of its record, and of the field beside it that follows from it. */
const item =
  (index: number, record: Partial<TrialRecord>, beside: Partial<BundleItem> = {}) =>
  (results: Results) => {
    const found = results.benchmarks[0]!.items[index]!
    Object.assign(found, beside)
    Object.assign(found.record, record)
  }
const first = (results: Results) => results.benchmarks[0]!
const forgeries: Record<string, [edit: (results: Results) => void, found: CheckName[]]> = {
  'a field beside its record': [item(1, {}, { response: 'D' }), ['fields']],
  'a score': [item(0, { score: 0.9 }, { score: 0.9 }), ['scores', 'aggregates', 'metrics']],
  'an outcome': [item(0, { outcome: 'right' }, { is_correct: true }), ['scores', 'aggregates']],
  'an answer': [item(1, { answer: 'Z' }), ['scores']],
  'an explanation': [item(1, { explanation: 'because' }), ['scores']],
  'a flag': [item(0, { flags: [] }), ['scores', 'aggregates']],
  'a target': [item(0, { expected: 'X' }, { expected: 'X' }), ['scores']],
  'the evidence': [item(1, { evidence: null }), ['fields', 'scores']],
  'an outcome turned into a failure': [item(1, { outcome: 'failed' }), ['fields', 'aggregates']],
  'the benchmark of an item': [item(1, { benchmark: 'digits' }), ['fields']],
  'text withheld without need': [item(0, {}, { withheld_sha256: 'a'.repeat(64) }), ['fields']],
  'a count': [(results) => Object.assign(first(results).result, { right: 6 }), ['aggregates']],
  'a benchmark score': [(results) => Object.assign(first(results), { score: 1 }), ['aggregates']],
  'the overall score': [(results) => Object.assign(results.run, { overall_score: 1 }), ['aggregates']],
  'a metric': [(results) => Object.assign(first(results).estimates.accuracy as object, { high: 1 }), ['metrics']],
  'the usage': [(results) => Object.assign(results.totals.usage, { input_tokens: 1 }), ['aggregates']],
  'the share of failures allowed': [(results) => Object.assign(results.spec, { max_failure_share: 0.01 }), ['completeness']],
  'the date': [(results) => Object.assign(results, { exported_at: '2099-01-01T00:00:00Z' }), ['dates']],
  'a planned benchmark': [(results) => results.spec.benchmarks.pop(), ['completeness', 'aggregates']],
  'a benchmark': [(results) => results.benchmarks.pop(), ['completeness', 'aggregates']],
}

test.each(Object.entries(forgeries))('[EXP15] %s edited by the signer himself is found', async (_what, [edit, found]) => {
  const report = await verifyBundle(await forge(sample, vectorKey, edit), trusting(vectorKey))
  expect([report.valid, report.signature_valid, report.hash_match]).toEqual([false, true, true])
  expect(failed(report)).toEqual(expect.arrayContaining(found))
  const stranger = await verifyBundle(await forge(sample, otherKey, edit), trusting(vectorKey))
  expect(failed(stranger)).toEqual(expect.arrayContaining(['key', ...found]))
})

test('[EXP15] an unchanged bundle signed anew is still right', async () => {
  expect((await verifyBundle(await forge(sample, vectorKey, () => {}), trusting(vectorKey))).errors).toEqual([])
})

test.each<[string, (manifest: Manifest) => void]>([
  ['score', (manifest) => Object.assign(manifest, { overall_score: 1 })],
  ['run', (manifest) => Object.assign(manifest, { run_id: 'another' })],
  ['plan', (manifest) => Object.assign(manifest, { spec_sha256: 'a'.repeat(64) })],
  ['date', (manifest) => Object.assign(manifest, { generated_at: '2026-03-04T05:06:08Z' })],
])('[EXP15] a manifest of another %s than its results is found', async (_what, editManifest) => {
  const report = await verifyBundle(await forge(sample, vectorKey, () => {}, { editManifest }), trusting(vectorKey))
  expect(failed(report)).toEqual(['consistency'])
})

test('[EXP16] a trial that is missing, twice, moved or not in the plan is found', async () => {
  const items = (results: Results) => results.benchmarks[0]!.items
  const edits: ((results: Results) => void)[] = [
    (results) => items(results).splice(2, 1),
    (results) => items(results).push(items(results)[0]!),
    (results) => items(results).splice(1, 0, items(results)[0]!),
    (results) => items(results).reverse(),
  ]
  for (const edit of edits)
    expect(failed(await verifyBundle(await forge(sample, vectorKey, edit), trusting(vectorKey)))).toContain('completeness')
  const swap = sampleRun(3, (records) => records.map((record) => (record.ordinal === 1 ? { ...record, item_id: '77' } : record)))
  const drawn = await verifyBundle(await sampleBundle(swap), trusting(vectorKey))
  expect([failed(drawn), drawn.errors]).toEqual([['completeness'], ['completeness: trial 1 should be letters item 1, epoch 0']])
  const { plan: _, ...withoutPlan } = trusting(vectorKey)
  expect((await verifyBundle(await sampleBundle(swap), withoutPlan)).valid).toBe(true)
})

test('[EXP16] a canceled run says how many trials it lacks', async () => {
  const run = sampleRun(3, (records) => records.filter((record) => record.ordinal < 4))
  run.run.head.status = 'canceled'
  const report = await verifyBundle(await sampleBundle(run), trusting(vectorKey))
  expect([report.valid, report.overall_score]).toEqual([true, null])
  expect(report.checks.find((check) => check.name === 'completeness')?.detail).toBe(
    '4 of 7 planned trials are there, drawn as the spec says; 3 unfinished',
  )
})

test('[EXP17] signed text in any but its one form is refused', async () => {
  const edits: ((text: string) => string)[] = [
    (text) => text.replace('"exported_at":', '"exported_at": '),
    (text) => text.replace('"failed":0', '"failed":0,"failed":0'),
    (text) => text.replace('"subset_pct":50', '"subset_pct":50.0'),
    (text) => `${text}\n`,
    (text) => text.replace('"item_id":"0"', '"item_id":"\\u0030"'),
    (text) => text.replace('{"benchmarks"', `{"a":${'['.repeat(70)}${']'.repeat(70)},"benchmarks"`),
  ]
  for (const editText of edits) {
    const report = await verifyBundle(await forge(sample, vectorKey, () => {}, { editText }), trusting(vectorKey))
    expect([report.hash_match, failed(report)]).toEqual([true, ['canonical']])
  }
  const unknown = await forge(sample, vectorKey, (results) => Object.assign(results, { zeta: 1 }))
  expect(failed(await verifyBundle(unknown, trusting(vectorKey)))).toEqual(['schema'])
  const nested = await forge(sample, vectorKey, (results) => Object.assign(results.spec.benchmarks[0]!.data, { zeta: 1 }))
  expect((await verifyBundle(nested, trusting(vectorKey))).valid).toBe(false)
})

test('[EXP18] numbers are shown only when the results are the signed ones', async () => {
  const members = unpack(sample)
  const edited = pack({ ...members, 'results.json': members['results.json'].replace('"subset_pct":50', '"subset_pct":99') })
  const report = await verifyBundle(edited, trusting(vectorKey))
  expect(report).toMatchObject({
    valid: false,
    signature_valid: true,
    hash_match: false,
    run_id: null,
    model_slug: null,
    subset_pct: null,
    overall_score: null,
  })
  expect(report.checks.filter((check) => check.detail === 'not reached')).toHaveLength(9)
})

test('[EXP9] anything that is no bundle is a report, not an exception', async () => {
  const bomb = zipSync(Object.fromEntries(memberNames.map((name) => [name, new Uint8Array(20 * 2 ** 20)])))
  const empty: Uint8Array[] = []
  createZip((chunk) => empty.push(chunk)).end()
  const inputs = [new Uint8Array(), new TextEncoder().encode('<html>'), bomb, empty[0]!, pack({ ...unpack(sample), 'manifest.json': '[]' })]
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
