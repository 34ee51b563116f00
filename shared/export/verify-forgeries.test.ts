import { expect, test } from 'vitest'
import type { TrialRecord } from '../contract/trial.ts'
import type { Manifest } from './bundle-schema.ts'
import { forge, type Opened } from './testing/forge.ts'
import { otherKey, sampleBundle, sampleRun, trusting, vectorKey } from './testing/sample-run.ts'
import { verifyBundle } from './verify.ts'
import type { CheckName, VerifyReport } from './verify-report.ts'

const failed = (report: VerifyReport): CheckName[] => report.checks.filter((check) => check.ok === false).map((check) => check.name)
const options = trusting(vectorKey)
const bundle = await sampleBundle(sampleRun(3))

/** Edits of item `index`: of its record, and of a field beside it. */
const item =
  (index: number, record: Partial<TrialRecord>, beside?: object) =>
  ({ items }: Opened) => {
    const found = items[index]!
    if (beside) found.beside = beside
    Object.assign(found.record, record)
  }
const first = ({ results }: Opened) => results.benchmarks[0]!
const forgeries: Record<string, [edit: (opened: Opened) => void, found: CheckName[]]> = {
  'a field beside its record': [item(1, {}, { response: 'D' }), ['fields']],
  'a score': [item(0, { score: 0.9 }), ['scores', 'aggregates', 'metrics']],
  'an outcome': [item(0, { outcome: 'right' }), ['scores', 'aggregates']],
  'an answer': [item(1, { answer: 'Z' }), ['scores']],
  'an explanation': [item(1, { explanation: 'because' }), ['scores']],
  'a flag': [item(0, { flags: [] }), ['scores', 'aggregates']],
  'a target': [item(0, { expected: 'X' }), ['scores']],
  'the evidence': [item(1, { evidence: null }), ['scores']],
  'an outcome turned into a failure': [item(1, { outcome: 'failed' }), ['fields', 'aggregates']],
  'the benchmark of an item': [item(1, { benchmark: 'digits' }), ['completeness']],
  'an item of no benchmark': [item(1, { benchmark: 'numbers' }), ['fields', 'completeness']],
  'text withheld without need': [({ items }) => Object.assign(items[0]!, { withheld_sha256: 'a'.repeat(64) }), ['fields']],
  'a count': [(opened) => Object.assign(first(opened).result, { right: 6 }), ['aggregates']],
  'a benchmark score': [(opened) => Object.assign(first(opened), { score: 1 }), ['aggregates']],
  'the overall score': [({ results }) => Object.assign(results.run, { overall_score: 1 }), ['aggregates']],
  'a metric': [(opened) => Object.assign(first(opened).estimates.accuracy as object, { high: 1 }), ['metrics']],
  'the usage': [({ results }) => Object.assign(results.totals.usage, { input_tokens: 1 }), ['aggregates']],
  'the date': [({ results }) => Object.assign(results, { exported_at: '2099-01-01T00:00:00Z' }), ['dates']],
  'a planned benchmark': [({ results }) => results.spec.benchmarks.pop(), ['completeness', 'aggregates']],
  'the cost of a trial': [item(0, { cost_usd: 1 }), ['aggregates', 'costs']],
  'the tokens of a trial': [
    item(0, { usage: { input_tokens: 9, output_tokens: 5, cached_tokens: 0, reasoning_tokens: 0 } }),
    ['aggregates', 'costs'],
  ],
}
const cases = Object.entries(forgeries).map(([what, [edit, found]]) => ({ what, edit, found }))

test.each(cases)('[EXP15] $what edited by the signer himself is found', async ({ edit, found }) => {
  const report = await verifyBundle(await forge(bundle, vectorKey, edit), options)
  expect([report.valid, report.signature_valid, report.hash_match]).toEqual([false, true, true])
  expect(failed(report)).toEqual(expect.arrayContaining(found))
  const stranger = await verifyBundle(await forge(bundle, otherKey, edit), options)
  expect(failed(stranger)).toEqual(expect.arrayContaining(['key', ...found]))
})

test('[EXP15] an unchanged bundle signed anew is still right', async () => {
  expect((await verifyBundle(await forge(bundle, vectorKey, () => {}), options)).errors).toEqual([])
})

const manifests: Record<string, (manifest: Manifest) => void> = {
  score: (manifest) => Object.assign(manifest, { overall_score: 1 }),
  run: (manifest) => Object.assign(manifest, { run_id: 'another' }),
  plan: (manifest) => Object.assign(manifest, { spec_sha256: 'a'.repeat(64) }),
  date: (manifest) => Object.assign(manifest, { generated_at: '2026-03-04T05:06:08Z' }),
}
test.each(Object.entries(manifests).map(([what, edit]) => ({ what, edit })))(
  '[EXP15] a manifest of another $what than its results is found',
  async ({ edit }) => {
    const report = await verifyBundle(await forge(bundle, vectorKey, () => {}, { editManifest: edit }), options)
    expect(failed(report)).toEqual(['consistency'])
  },
)

test('[EXP16] a trial that is missing, twice, moved or not in the plan is found', async () => {
  const without = await verifyBundle(await forge(bundle, vectorKey, ({ items }) => void items.splice(2, 1)), options)
  expect(without.errors).toContain(
    'status: letters is skipped, with 5 of 6 trials done and 0 failed (at most 50 % may); the bundle says succeeded',
  )
  const edits: ((opened: Opened) => void)[] = [
    ({ items }) => items.splice(6, 0, items[0]!),
    ({ items }) => items.splice(1, 0, items[0]!),
    ({ items }) => items.reverse(),
  ]
  for (const edit of edits) expect(failed(await verifyBundle(await forge(bundle, vectorKey, edit), options))).toContain('completeness')
})

test('[EXP16] a trial that the spec does not draw is found by the plan', async () => {
  const swap = sampleRun(3, (records) => records.map((record) => (record.ordinal === 1 ? { ...record, item_id: '77' } : record)))
  const drawn = await verifyBundle(await sampleBundle(swap), options)
  expect([failed(drawn), drawn.errors]).toEqual([['completeness'], ['completeness: trial 1 should be letters item 1, epoch 0']])
  const { plan: _, ...withoutPlan } = options
  expect((await verifyBundle(await sampleBundle(swap), withoutPlan)).valid).toBe(true)
})

test('[EXP16] a plan larger than any bundle is not drawn', async () => {
  const huge = await forge(bundle, vectorKey, ({ results }) => {
    results.spec.benchmarks[0]!.total_items = 2 ** 45
  })
  const report = await verifyBundle(huge, options)
  expect(report.errors).toEqual(expect.arrayContaining([expect.stringContaining('is larger than any bundle')]))
})

test('[EXP16] a canceled run says how many trials it lacks', async () => {
  const run = sampleRun(3, (records) => records.filter((record) => record.ordinal < 4))
  const report = await verifyBundle(await sampleBundle(run), options)
  expect([report.errors, report.overall_score, run.run.head.status]).toEqual([[], null, 'canceled'])
  expect(report.checks.find((check) => check.name === 'completeness')?.detail).toBe(
    '4 of 7 planned trials are there, drawn as the spec says; 3 unfinished',
  )
})

test('[EXP17] signed results in any but their one form are refused', async () => {
  const edits: ((text: string) => string)[] = [
    (text) => text.replace('"exported_at":', '"exported_at": '),
    (text) => text.replace('"failed":0', '"failed":0,"failed":0'),
    (text) => text.replace('"subset_pct":50', '"subset_pct":50.0'),
    (text) => `${text}\n`,
    (text) => text.replace('"example/tiny-model"', '"example\\u002ftiny-model"'),
    (text) => text.replace('{"benchmarks"', `{"a":${'['.repeat(70)}${']'.repeat(70)},"benchmarks"`),
  ]
  for (const editText of edits) {
    const report = await verifyBundle(await forge(bundle, vectorKey, () => {}, { editText }), options)
    expect(failed(report)).toEqual(['canonical'])
  }
  const unknown = await forge(bundle, vectorKey, ({ results }) => Object.assign(results, { zeta: 1 }))
  expect(failed(await verifyBundle(unknown, options))).toEqual(['schema'])
  const nested = await forge(bundle, vectorKey, ({ results }) => Object.assign(results.spec.benchmarks[0]!.data, { zeta: 1 }))
  expect((await verifyBundle(nested, options)).valid).toBe(false)
})

test('[EXP105] a changed sum of what was spent is found, and a sentence names it', async () => {
  const costOf = async (edit: (opened: Opened) => void) =>
    (await verifyBundle(await forge(bundle, vectorKey, edit), options)).checks.find((check) => check.name === 'costs')
  expect(await costOf(({ results }) => Object.assign(results.spent, { cost_usd: 0.000001 }))).toMatchObject({
    ok: false,
    detail: expect.stringMatching(/^the run cost \$0\.0000175\d* by its tokens, the bundle says \$0\.000001$/),
  })
  expect(await costOf(({ results }) => Object.assign(results.spent.usage, { input_tokens: 60 }))).toMatchObject({
    ok: false,
    detail: 'the run used 60 input tokens, its trials 70',
  })
  expect(await costOf(item(0, { cost_usd: 0 }))).toMatchObject({
    ok: false,
    detail: 'letters item 0, epoch 0: its tokens cost $0.0000025, the record says $0',
  })
  const repeated = ({ results }: Opened) => {
    results.spent.usage.input_tokens += 1_000_000
    results.spent.cost_usd = results.spent.cost_usd! + 0.1
  }
  expect(await costOf(repeated)).toMatchObject({ ok: true })
})

test('[EXP106] a status that the counts do not give is found, of the run and of a benchmark', async () => {
  const statusOf = async (edit: (opened: Opened) => void) =>
    (await verifyBundle(await forge(bundle, vectorKey, edit), options)).checks.find((check) => check.name === 'status')
  expect(await statusOf(({ results }) => Object.assign(results.run, { status: 'succeeded' }))).toEqual({
    name: 'status',
    ok: false,
    detail: 'the run is incomplete, with 7 of 7 trials done and 1 failed; the bundle says succeeded',
  })
  expect(await statusOf(({ results }) => Object.assign(results.benchmarks[1]!, { status: 'succeeded' }))).toEqual({
    name: 'status',
    ok: false,
    detail: 'digits is failed, with 1 of 1 trials done and 1 failed (at most 50 % may); the bundle says succeeded',
  })
  expect(await statusOf(() => {})).toMatchObject({ ok: true })
})
