import { expect, test } from 'vitest'
import type { TrialRecord } from '../contract/trial.ts'
import { metricsVersion } from '../metrics/draw.ts'
import { measureBenchmark } from '../metrics/measure.ts'
import { metricRowOf } from '../metrics/metric-row.ts'
import { exampleStream } from '../stream/testing/example-stream.ts'
import { sampleBundle, sampleRun, trusting, vectorKey } from './testing/sample-run.ts'
import { verifyBundle } from './verify.ts'

type Change = (estimates: Record<string, unknown>) => Record<string, unknown>

/** A bundle of a run whose numbers are those of `version`, after `change` of what it says of `letters`. */
async function measured(
  version: number | undefined,
  change: Change = (estimates) => estimates,
  edit?: typeof streamed,
): Promise<Uint8Array> {
  const { run, records } = sampleRun(30, edit)
  const planned = run.spec.benchmarks.map((benchmark) => ({
    ...benchmark,
    params: { ...benchmark.params, temperature: 0.7 },
    ...(version && { metrics_version: version, group_items: { law: 31 } }),
  }))
  const metrics = planned.map((plan) => {
    const rows = records.filter((record) => record.benchmark === plan.name).map(metricRowOf)
    return [plan.name, measureBenchmark(['accuracy'], rows, plan)] as const
  })
  const spec = { ...run.spec, benchmarks: planned }
  const told = Object.fromEntries(metrics.map(([name, found]) => [name, name === 'letters' ? change(found) : found]))
  return sampleBundle({ run: { ...run, spec, metrics: told }, records })
}

const verify = (bytes: Uint8Array) => verifyBundle(bytes, { ...trusting(vectorKey), computeMetrics: measureBenchmark })
const metricsOf = async (bytes: Uint8Array) => (await verify(bytes)).checks.find(({ name }) => name === 'metrics')

test('[EXP15] both targets, groups and times of an export are computed anew', async () => {
  const bytes = await measured(metricsVersion)
  expect((await verify(bytes)).errors).toEqual([])
  expect(await metricsOf(bytes)).toMatchObject({ ok: true, detail: '6 metrics computed anew' })
})

test('[EXP15] not even the signer can change a limit, a group, a time or the target alone, nor add a number', async () => {
  const accuracy = (change: object) => (estimates: Record<string, unknown>) => ({
    ...estimates,
    accuracy: { ...(estimates.accuracy as object), ...change },
  })
  const changes: Record<string, Change> = {
    accuracy: accuracy({ target: 'as_answered' }),
    'accuracy ': accuracy({ limits: null }),
    by_group: ({ by_group, ...rest }) => ({ ...rest, by_group: { ...(by_group as object), law: null } }),
    timing: (estimates) => ({ ...estimates, timing: { latency_ms: null, ttft_ms: null } }),
    extra: (estimates) => ({ ...estimates, extra: { value: 1 } }),
  }
  for (const [name, change] of Object.entries(changes)) {
    const found = await metricsOf(await measured(metricsVersion, change))
    expect([name, found?.ok, found?.detail]).toEqual([name, false, expect.stringContaining(name.trim())])
  }
})

const streamed = (records: TrialRecord[]) =>
  records.map((record, index) => (index % 5 === 4 ? record : { ...record, stream: exampleStream({ queue_ms: index }) }))

test('[STREAM13] how answers came in is in a signed export, computed anew from its trials, and cannot be changed alone', async () => {
  const bytes = await measured(metricsVersion, undefined, streamed)
  expect((await verify(bytes)).errors).toEqual([])
  expect(await metricsOf(bytes)).toMatchObject({ ok: true, detail: '8 metrics computed anew' })
  const forged = ({ streaming, ...rest }: Record<string, unknown>) => ({ ...rest, streaming: { ...(streaming as object), n: 1 } })
  expect(await metricsOf(await measured(metricsVersion, forged, streamed))).toMatchObject({
    ok: false,
    detail: expect.stringContaining('streaming'),
  })
})

test('[STAT87] an export from before there were targets verifies by the rule of its time', async () => {
  const bytes = await measured(undefined)
  expect((await verify(bytes)).errors).toEqual([])
  expect(await metricsOf(bytes)).toMatchObject({ ok: true, detail: '2 metrics computed anew' })
})
