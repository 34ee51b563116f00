import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeOtlp } from './otlp.ts'
import { OtlpEnv, otlpTarget } from './otlp-target.ts'
import { pushOtlp } from './push-otlp.ts'
import { createRegistry, type Family } from './registry.ts'

const resource = { 'service.name': 'bench-agent', 'service.version': '0.1.0' }
const times = { startMs: 1_544_712_660_300, nowMs: 1_544_712_670_300 }
const labels = { provider: 'chutes', model: 'org/model' }
const attributes = [
  { key: 'provider', value: { stringValue: 'chutes' } },
  { key: 'model', value: { stringValue: 'org/model' } },
]

test('[OBS10] counters, gauges and histograms have the form that collectors read', () => {
  const registry = createRegistry([
    'bench_agent_retries_total',
    'bench_agent_limiter_width',
    'bench_agent_event_loop_lag_seconds',
    'bench_agent_call_seconds',
  ])
  registry.count('bench_agent_retries_total', labels, 5)
  registry.watch('bench_agent_limiter_width', () => [{ labels, value: 10 }])
  for (const value of [0.0005, 0.02, 7]) registry.observe('bench_agent_event_loop_lag_seconds', {}, value)
  const since = { startTimeUnixNano: '1544712660300000000', timeUnixNano: '1544712670300000000' }
  const body = encodeOtlp(registry.read(), resource, times)
  expect(body).toEqual({
    resourceMetrics: [
      {
        resource: {
          attributes: [
            { key: 'service.name', value: { stringValue: 'bench-agent' } },
            { key: 'service.version', value: { stringValue: '0.1.0' } },
          ],
        },
        scopeMetrics: [
          {
            scope: { name: 'chutes-bench-runner', version: '0.1.0' },
            metrics: [
              {
                name: 'bench_agent_retries_total',
                description: expect.any(String),
                unit: '{call}',
                sum: { aggregationTemporality: 2, isMonotonic: true, dataPoints: [{ attributes, ...since, asDouble: 5 }] },
              },
              {
                name: 'bench_agent_limiter_width',
                description: expect.any(String),
                unit: '{call}',
                gauge: { dataPoints: [{ attributes, timeUnixNano: since.timeUnixNano, asDouble: 10 }] },
              },
              {
                name: 'bench_agent_event_loop_lag_seconds',
                description: expect.any(String),
                unit: 's',
                histogram: {
                  aggregationTemporality: 2,
                  dataPoints: [
                    {
                      attributes: [],
                      ...since,
                      count: '3',
                      sum: 7.0205,
                      bucketCounts: ['1', '0', '0', '1', '0', '0', '0', '0', '0', '0', '1'],
                      explicitBounds: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
                    },
                  ],
                },
              },
            ],
          },
        ],
      },
    ],
  })
})

test('[OBS10] whatever was measured, the body is JSON that holds every number', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string(), fc.double()), { maxLength: 20 }), (told) => {
      const def = { kind: 'gauge', unit: 'none', labels: {}, help: '' } as const
      const series = told.map(([text, number]) => ({ labels: [['model', text]] as const, value: { kind: 'number', number } as const }))
      const families: Family[] = [{ name: 'bench_agent_limiter_width', def, series }]
      const { resourceMetrics } = JSON.parse(JSON.stringify(encodeOtlp(families, resource, { ...times, startMs: null })))
      const points = resourceMetrics[0].scopeMetrics[0].metrics[0]?.gauge.dataPoints ?? []
      const read = points.map((one: { attributes: typeof attributes; asDouble: number }) => [
        one.attributes[0]!.value.stringValue,
        one.asDouble,
      ])
      expect(read).toEqual(told.filter(([, number]) => Number.isFinite(number)).map(([text, number]) => [text, number + 0]))
    }),
  )
})

test('[OBS10] nothing is pushed unless an endpoint is set; its headers carry what they say', () => {
  expect(otlpTarget(OtlpEnv.parse({}))).toBeNull()
  expect(
    otlpTarget(OtlpEnv.parse({ OTEL_EXPORTER_OTLP_ENDPOINT: '', OTEL_EXPORTER_OTLP_HEADERS: '', OTEL_METRIC_EXPORT_INTERVAL: '' })),
  ).toBeNull()
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otlp.example/base/',
    OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Basic%20YTpi, x-scope = 7=8,',
    OTEL_METRIC_EXPORT_INTERVAL: '15000',
  }
  expect(otlpTarget(OtlpEnv.parse(env))).toEqual({
    url: 'https://otlp.example/base/v1/metrics',
    headers: { authorization: 'Basic YTpi', 'x-scope': '7=8' },
    intervalMs: 15_000,
  })
  for (const wrong of [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'nowhere' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'file:///etc' },
    { OTEL_EXPORTER_OTLP_HEADERS: 'no pair' },
    { OTEL_EXPORTER_OTLP_HEADERS: 'a=%zz' },
    { OTEL_METRIC_EXPORT_INTERVAL: '10' },
  ])
    expect(OtlpEnv.safeParse(wrong).success).toBe(false)
})

test('[OBS11] a push that fails says why and throws nothing', async () => {
  const target = { url: 'https://otlp.example/v1/metrics', headers: { authorization: 'k' }, intervalMs: 1000 }
  const sent: unknown[] = []
  const taken = async (url: string, init: object) => {
    sent.push({ url, ...init })
    return { ok: true, status: 200 }
  }
  expect(await pushOtlp(target, { a: 1 }, taken)).toBeNull()
  expect(sent).toEqual([
    {
      url: target.url,
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'k' },
      body: '{"a":1}',
      redirect: 'manual',
    },
  ])
  expect(await pushOtlp(target, {}, async () => ({ ok: false, status: 503 }))).toBe('HTTP 503')
  expect(await pushOtlp(target, {}, () => Promise.reject(new TypeError('fetch failed')))).toBe('fetch failed')
})
