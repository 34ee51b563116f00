import { expect, test } from 'vitest'
import { renderPrometheus } from '#shared/telemetry/prometheus.ts'
import { createRegistry } from '#shared/telemetry/registry.ts'
import { meterImages } from './meter-images.ts'

test('[OBS4] how machines came to their images, and what was made ready before, is counted', () => {
  const registry = createRegistry([
    'bench_agent_images_total',
    'bench_agent_image_seconds',
    'bench_agent_images_ahead_total',
    'bench_agent_images_ahead_seconds_total',
  ])
  const { onHad, onWarmed } = meterImages(registry)
  onHad('there', 2)
  onHad('ahead', 3)
  onHad('waited', 4500)
  onHad('waited', 500)
  onWarmed('fetched', 2500)
  onWarmed('there', 10)
  onWarmed('failed', 99)
  const told = renderPrometheus(registry.read()).split('\n')
  expect(told).toEqual(
    expect.arrayContaining([
      'bench_agent_images_total{how="there"} 1',
      'bench_agent_images_total{how="ahead"} 1',
      'bench_agent_images_total{how="waited"} 2',
      'bench_agent_image_seconds_sum{how="waited"} 5',
      'bench_agent_images_ahead_total{what="fetched"} 1',
      'bench_agent_images_ahead_total{what="failed"} 1',
      'bench_agent_images_ahead_seconds_total 2.5',
    ]),
  )
})
