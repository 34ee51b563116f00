import { OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import { prometheusType, renderPrometheus } from '#shared/telemetry/prometheus.ts'
import type { AppEnv } from '../app-env.ts'
import type { Deps } from '../deps.ts'
import { gatherMetrics } from '../gather-metrics.ts'
import { refusals } from './answers.ts'
import { declareRoute } from './declare-route.ts'

const metrics = declareRoute({
  method: 'get',
  path: '/api/metrics',
  access: { who: 'key holder', scope: 'metrics:read' },
  cost: 'cheap',
  summary: 'What the service measures of itself, in Prometheus’ text format',
  responses: {
    200: { description: 'Metrics of all runs and agents', content: { 'text/plain': { schema: z.string() } } },
    ...refusals('unauthorized', 'forbidden', 'unavailable'),
  },
})

export function metricsRoutes(deps: Deps) {
  return new OpenAPIHono<AppEnv>().openapi(metrics, async (c) =>
    c.text(renderPrometheus(await gatherMetrics(deps)), 200, { 'content-type': prometheusType }),
  )
}
