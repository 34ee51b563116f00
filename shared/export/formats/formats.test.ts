import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import type { Card } from '../../contract/card.ts'
import { type ExportFormat, exportEnding, exportFormatNames, exportFormats } from '../../contract/export-formats.ts'
import { viewFor } from '../../run/audience.ts'
import { viewRun } from '../../run/run-view.ts'
import { exampleStream } from '../../stream/testing/example-stream.ts'
import { BundleTooLarge } from '../bundle-limits.ts'
import { bytesSource, concat } from '../byte-source.ts'
import { readRecords } from '../read-records.ts'
import { openNoble } from '../running-sha256.ts'
import { pagesOf, sampleClaims, sampleRun, vectorKey } from '../testing/sample-run.ts'
import type { ExportRun } from './format.ts'
import { exportName, formatWriters } from './formats.ts'
import { NoSigningKey } from './zip.ts'

const sample = sampleRun(3)
const { run, records } = sample
const cards: readonly Card[] = []
const exported: ExportRun = {
  view: viewRun(run, { cards, seen: viewFor(run.spec, 'owner'), mine: true, demo: true }),
  claims: sampleClaims(run),
  withheld: new Set(),
  key: vectorKey,
  openSha256: openNoble,
  service_url: 'https://bench.example',
}

/** Every form that a run of questions has. */
const formNames = exportFormatNames.filter((name) => !exportFormats[name].episodes)

async function write(format: ExportFormat, pageSize = 3, change: Partial<ExportRun> = {}): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  for await (const piece of formatWriters[format]({ ...exported, ...change }, pagesOf(records, pageSize))) pieces.push(piece)
  return concat(pieces)
}
const textOf = async (...given: Parameters<typeof write>) => new TextDecoder().decode(await write(...given))

test.each(formNames)('[EXP109] %s is the same however its trials were paged, and has a name that tells its form', async (format) => {
  const [one, all] = [await write(format, 1), await write(format, 100)]
  expect([one.length > 0, Buffer.compare(one, all)]).toEqual([true, 0])
  expect(exportName(exported, format)).toMatch(new RegExp(`^benchmark_results_${run.spec.run_id}.*\\.${exportEnding(format)}$`))
})

test('[EXP109] every form that lists trials has all of them, in the order of the plan', async () => {
  const ordinals = records.map(({ ordinal }) => ordinal)
  const seen: Record<string, unknown> = {
    csv: parse(await textOf('csv'), { columns: true }).map((row: unknown) => Number((row as { ordinal: string }).ordinal)),
    json: JSON.parse(await textOf('json')).trials.map((item: { ordinal: number }) => item.ordinal),
    jsonl: (await textOf('jsonl'))
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).ordinal),
    zip: [],
  }
  for await (const record of (await readRecords(bytesSource(await write('zip')))).records()) (seen.zip as number[]).push(record.ordinal)
  expect(Object.keys(seen).toSorted()).toEqual(formNames.filter((name) => exportFormats[name].lists_trials).toSorted())
  for (const [format, found] of Object.entries(seen)) expect([format, found]).toEqual([format, ordinals])
})

test('[STREAM13] tables and documents say how each answer came in, and nothing where it was not measured', async () => {
  const told = records.map((record, index) =>
    index === 0 ? { ...record, stream: exampleStream(), measured_by: { agent: 'local', place: null } } : record,
  )
  const textOf = async (format: ExportFormat) => {
    const pieces: Uint8Array[] = []
    for await (const piece of formatWriters[format](exported, pagesOf(told, 3))) pieces.push(piece)
    return new TextDecoder().decode(concat(pieces))
  }
  const rows = parse(await textOf('csv'), { columns: true }) as Record<string, string>[]
  const columns = ['max_token_gap_ms', 'token_rate', 'continuity', 'stream_end']
  expect(rows.slice(0, 2).map((row) => columns.map((name) => row[name]))).toEqual([
    ['20', '100', '1', 'done'],
    ['', '', '', ''],
  ])
  const short = { max_token_gap_ms: 20, token_rate: 100, continuity: 1, stream_end: 'done' }
  const nothing = { max_token_gap_ms: null, token_rate: null, continuity: null, stream_end: null }
  expect(JSON.parse(await textOf('json')).trials.slice(0, 2)).toMatchObject([short, nothing])
  const [first, second] = (await textOf('jsonl')).split('\n').map((line) => JSON.parse(line || 'null'))
  expect(first.stream ?? first.record?.stream).toEqual(exampleStream())
  expect(second.stream ?? second.record?.stream).toBeUndefined()
})

test('[EXP109] no form has a text that its reader may not have', async () => {
  for (const format of formNames) {
    const text = Buffer.from(await write(format, 3, { withheld: new Set(['letters', 'digits']) })).toString('latin1')
    expect([format, text.includes('Let me think'), text.includes('Question 1')]).toEqual([format, false, false])
  }
})

test('[EXP109] what must be signed is not written without a key, all else is', async () => {
  for (const format of formNames) {
    const written = write(format, 3, { key: null })
    if (exportFormats[format].signs) await expect(written).rejects.toThrow(NoSigningKey)
    else expect((await written).length).toBeGreaterThan(0)
  }
  const spec = { ...exported.claims.spec, benchmarks: exported.claims.spec.benchmarks.map((one) => ({ ...one, total_items: 1e7 })) }
  await expect(write('zip', 3, { claims: { ...exported.claims, spec } })).rejects.toThrow(BundleTooLarge)
})

test('[EXP111] the Markdown report has the numbers and proofs of the PDF, and nothing that people named is read as markup', async () => {
  const name = '# <b>*Nightly*</b> | [x](http://evil) `y`'
  const text = await textOf('md', 3, { view: { ...exported.view, name } })
  expect(text).toContain('# example/tiny-model')
  expect(text).toContain('\\# \\<b\\>\\*Nightly\\*\\</b\\> \\| \\[x\\](http://evil) \\`y\\`')
  expect(text).toContain(vectorKey.fingerprint)
  expect(text).toMatch(/\| letters \| 66\.7 \|/)
  expect(text).toMatch(/Records, SHA-256 \| [0-9a-f]{64} \|/)
  expect(text.split('\n').filter((line) => /^# /.test(line))).toHaveLength(1)
})

test('[PROV17] reports say the budget and the routing that a run asked for', async () => {
  const [planned] = run.spec.benchmarks
  const params = { ...planned!.params, reasoning_budget_tokens: 2000, routing: { order: ['deepinfra'], allow_fallbacks: false } }
  const asked = { ...run, spec: { ...run.spec, benchmarks: [{ ...planned!, params }] } }
  const text = await textOf('md', 3, { view: viewRun(asked, { cards, seen: viewFor(asked.spec, 'owner'), mine: true, demo: true }) })
  const plain = text.replaceAll('\\', '')
  expect(plain).toContain('reasoning_budget_tokens 2000, routing order deepinfra; allow_fallbacks false')
  expect(await textOf('md')).not.toContain('routing')
})
