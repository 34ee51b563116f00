import { sha256 } from '@noble/hashes/sha2.js'
import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import type { StoredRun } from '#db/store.ts'
import { Run } from '#shared/contract/api.ts'
import { withheldText } from '#shared/contract/foreign.ts'
import type { RunSpec } from '#shared/contract/run.ts'
import { toHex } from '#shared/export/bytes.ts'
import { openSigningKey } from '#shared/export/signing-key.ts'
import { bearer, giveKey, openApp } from '../testing/call-app.ts'
import { exampleEnded, examplePlanned, exampleSpec, exampleTrials } from '../testing/example-records.ts'
import { readPdf } from '../testing/read-pdf.ts'

const path = (spec: RunSpec) => `/api/runs/${spec.run_id}/export`
const spec = exampleSpec({ owner_id: 'anna' })

/** The real routes, in workerd, over a run that has ended as `change` says. */
function endedApp(run: RunSpec = spec, change: (stored: StoredRun) => StoredRun = (stored) => stored) {
  const app = openApp()
  app.record.runs.set(run.run_id, change(exampleEnded(run)))
  app.record.trials.set(run.run_id, exampleTrials(run.benchmarks[0]!.name))
  app.deps.signer = openSigningKey(btoa('\x07'.repeat(32)))
  const bytes = async (format: string, headers: Record<string, string> = {}) => {
    const response = await app.call('GET', `${path(run)}?format=${format}`, { headers })
    expect([format, response.status]).toEqual([format, 200])
    return new Uint8Array(await response.arrayBuffer())
  }
  const shown = async (headers: Record<string, string> = {}) => {
    const { run: seen } = JSON.parse(new TextDecoder().decode(await bytes('json', headers))) as { run: unknown }
    return { run: Run.parse(seen), ...readPdf(await bytes('pdf', headers)) }
  }
  return { ...app, bytes, shown }
}

type Head = StoredRun['head']
const withHead = (change: Partial<Head>) => (stored: StoredRun) => ({ ...stored, head: { ...stored.head, ...change } })
const tallyOf = (stored: StoredRun, name: string) => stored.head.benchmarks[name]!
const points = (share: number) => (share * 100).toFixed(1)

test('[API140] the report has the numbers of the JSON export', async () => {
  const usage = { input_tokens: 3_601_233, output_tokens: 812_331, cached_tokens: 1200, reasoning_tokens: 400_000 }
  const app = endedApp(spec, (stored) => {
    const mmlu_pro = { ...tallyOf(stored, 'mmlu_pro'), flags: { truncated: 2, unparsed: 0 }, total: 4 }
    const label = { name: 'Nightly', tags: ['v1', 'cold'] }
    return { ...withHead({ usage, cost_usd: 5.2259, retried: 7, total: 4, benchmarks: { mmlu_pro } })(stored), label }
  })
  const { run, lines } = await app.shown()
  const result = run.benchmarks[0]!
  const text = lines.join(' ')
  const { value, low, high, n } = result.estimate
  expect([n, result.failed]).toEqual([3, 1])
  const row = lines.slice(lines.indexOf('Failed trials') + 1)
  expect(row.slice(0, 6)).toEqual(['MMLU_PRO', points(value!), `${points(low!)}–${points(high!)}`, 'score as answered', '3', '1 of 4'])
  expect(lines).toContain(`${points(run.overall_score!)} %`)
  expect(text).toContain(`95 % interval ${points(run.estimate.low!)}–${points(run.estimate.high!)} % · n = 3`)
  expect(text).toContain(`2 right, 1 wrong · failures as wrong ${points(result.worst_case!)} %, as right ${points(result.best_case!)} %`)
  expect(text).toMatch(/flags truncated 2 · incomplete/)
  expect(text).toContain('3,601,233 input tokens (1,200 cached), 812,331 output tokens (400,000 reasoning), $5.23')
  for (const told of ['example/model-70b', 'Nightly', 'v1, cold', run.id, 'provider/rate-limited 1', '$1.00 in · $2.00 out / M', '7'])
    expect(lines.some((line) => line.includes(told))).toBe(true)
  expect(text).toContain(result.warning!)
})

test('[API140] what a score is not stands before it: partial, canceled, sample, demo', async () => {
  const sample = { ...examplePlanned({ name: 'mmlu_pro' }).data, source: 'sample' as const }
  const run = exampleSpec({
    model: { id: 'demo', slug: 'demo', provider: 'demo' },
    benchmarks: [examplePlanned({ name: 'mmlu_pro', data: sample }), examplePlanned({ name: 'ifbench', data: sample })],
  })
  const app = endedApp(run, (stored) => {
    const ifbench = { ...tallyOf(stored, 'ifbench'), right: 0, wrong: 0, failed: 0, score_sum: 0, status: 'skipped' as const }
    return withHead({ status: 'canceled', total: 1008, done: 4, benchmarks: { ...stored.head.benchmarks, ifbench } })(stored)
  })
  const { lines } = await app.shown()
  const before = lines.slice(0, lines.indexOf('66.7 %')).join(' ')
  for (const told of ['Demo model: ', 'They measure nothing.', 'Sample data: ', '1,004 of 1,008 trials never asked', '1 of 2 benchmarks'])
    expect(before).toContain(told)
  expect(lines.join(' ')).toContain('IFBENCH – – – 0 0 of')
  const nothing = await endedApp(spec, (stored) => {
    const mmlu_pro = { ...tallyOf(stored, 'mmlu_pro'), right: 0, wrong: 0, failed: 4, score_sum: 0 }
    return withHead({ status: 'failed', benchmarks: { mmlu_pro } })(stored)
  }).shown()
  expect(nothing.lines.join(' ')).toMatch(/The run is failed\. 4 of \d+ trials could not be scored.* No score: nothing could be scored\./)
})

test('[API140] words of others are for those who may read the items', async () => {
  const gated = exampleSpec({ owner_id: 'anna', benchmarks: [examplePlanned({ name: 'gpqa_diamond', gated: true })] })
  const parked = { reason: 'provider/forbidden', detail: 'You asked: SECRET QUESTION', until: null }
  const app = endedApp(gated, withHead({ parked, status: 'failed' }))
  const whole = async (headers = {}) => {
    const { lines, texts } = await app.shown(headers)
    return [...lines, ...texts].join(' ')
  }
  const anna = bearer(await giveKey(app, 'anna'))
  expect(await whole()).not.toContain('SECRET')
  expect(await whole()).toContain(withheldText)
  expect(await whole()).toContain('Records without gated')
  expect(await whole(anna)).toContain('You asked: SECRET QUESTION')
  expect(await whole(anna)).not.toContain('without gated')
})

test('[API141] the hashes are those of the other exports, and the bytes are the same at any time', async () => {
  const app = endedApp()
  const { lines, dates } = await app.shown()
  const manifest = new TextDecoder().decode(unzipSync(await app.bytes('zip'))['manifest.json'])
  const { spec_sha256, public_key_fingerprint } = JSON.parse(manifest) as Record<string, string>
  expect(lines).toEqual(expect.arrayContaining([spec_sha256, public_key_fingerprint, toHex(sha256(await app.bytes('jsonl')))]))
  expect(dates).toEqual(['20260102030405', '20260102030405'])
  const later = endedApp()
  later.deps.now = () => new Date('2031-05-06T07:08:09.000Z')
  expect(await later.bytes('pdf')).toEqual(await app.bytes('pdf'))
  const unsigned = endedApp()
  unsigned.deps.signer = null
  const without = (await unsigned.shown()).lines.join(' ')
  expect(without).toContain('none: this service signs nothing')
  expect(without).not.toContain('bench verify')
  const response = await app.call('GET', `${path(spec)}?format=pdf`)
  expect(response.headers.get('content-type')).toBe('application/pdf')
  expect(response.headers.get('content-disposition')).toBe(`attachment; filename="benchmark_results_${spec.run_id}.pdf"`)
})

test('[API142] any names of any length are drawn, 22 benchmarks go over pages, and the title keeps every character', async () => {
  const slug = `команда/通义千问🚀-${'very-long-name-'.repeat(12)}`
  const benchmarks = Array.from({ length: 22 }, (_, index) => examplePlanned({ name: `a_benchmark_with_a_long_name_${index}` }))
  const run = exampleSpec({ model: { id: 'x', slug, provider: 'chutes' }, benchmarks })
  const app = endedApp(run, (stored) => ({ ...stored, label: { name: `${'x'.repeat(300)}\u202e<b>\0`, tags: ['тег', '🔥'] } }))
  const { lines, texts } = await app.shown()
  expect(texts.some((text) => text.includes(slug))).toBe(true)
  const joined = lines.join('')
  expect(joined).toContain(
    '\\u{43a}\\u{43e}\\u{43c}\\u{430}\\u{43d}\\u{434}\\u{430}/\\u{901a}\\u{4e49}\\u{5343}\\u{95ee}\\u{1f680}-very-long-name-',
  )
  expect(joined).toContain('\\u{442}\\u{435}\\u{433}, \\u{1f525}')
  expect(joined).toContain('<b>\\u{0}')
  expect(lines.filter((line) => line === 'Failed trials').length).toBeGreaterThan(2)
  for (const { name } of benchmarks) expect(joined).toContain(`${name} version 1`)
  expect(lines.filter((line) => /^page \d+ of \d+$/.test(line)).at(-1)).toMatch(/^page (\d) of \1$/)
})
