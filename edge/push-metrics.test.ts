import { expect, test, vi } from 'vitest'
import { readConfig } from './config.ts'
import { pushMetrics } from './push-metrics.ts'
import { memoryDeps } from './testing/memory-deps.ts'

const otlp = { url: 'https://otlp.example/v1/metrics', headers: { authorization: 'Bearer k' }, intervalMs: 60_000 }

test('[OBS11] the service pushes what it measures where that is configured, and nothing elsewhere', async () => {
  const { deps, fetched, answers } = memoryDeps({ config: { otlp } })
  answers.set(otlp.url, () => new Response('{}'))
  await pushMetrics(deps)
  expect(fetched).toMatchObject([{ url: otlp.url, init: { method: 'POST', headers: { authorization: 'Bearer k' } } }])
  const { resourceMetrics } = JSON.parse(String(fetched[0]!.init!.body))
  expect(resourceMetrics[0].resource.attributes[0].value).toEqual({ stringValue: 'bench-service' })
  expect(resourceMetrics[0].scopeMetrics[0].metrics.map(({ name }: { name: string }) => name)).toContain('bench_drain_lag_seconds')
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const off = memoryDeps()
  await pushMetrics(off.deps)
  expect([off.fetched, warn.mock.calls]).toEqual([[], []])
  warn.mockRestore()
})

test('[OBS11] a push of the service that fails disturbs nothing: why is in the log', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const { deps, answers } = memoryDeps({ config: { otlp } })
  await pushMetrics(deps) // nothing listens there
  answers.set(otlp.url, () => new Response('', { status: 401 }))
  await pushMetrics(deps)
  deps.fleet.measures = () => Promise.reject(new Error('away'))
  await pushMetrics(deps)
  const said = warn.mock.calls.map(([line]) => (JSON.parse(String(line)) as { message: string }).message)
  warn.mockRestore()
  expect(said).toEqual([expect.stringContaining('nothing listens'), expect.stringContaining('HTTP 401'), 'metrics could not be gathered'])
})

test('[OBS11] where to push is a variable; one that does not read turns the push off and is named without its text', () => {
  const faultsOf = (env: Record<string, string>) => readConfig(env).faults.filter(({ variable }) => variable.startsWith('OTEL_'))
  const set = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otlp.example', OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20k' }
  expect([readConfig(set).otlp, faultsOf(set)]).toEqual([otlp, []])
  expect([readConfig({}).otlp, faultsOf({})]).toEqual([null, []])
  const wrong = { ...set, OTEL_EXPORTER_OTLP_HEADERS: 'secret-key-text' }
  expect(readConfig(wrong).otlp).toBeNull()
  expect(faultsOf(wrong)).toEqual([
    { variable: 'OTEL_EXPORTER_OTLP_HEADERS', detail: 'does not read: it does not fit', off: 'the push of metrics' },
  ])
})
