import { query } from '@solidjs/router'
import * as z from 'zod'
import { AgentList, BenchmarkList, BenchmarkPage, ModelList, PlanPreview, Run, RunList, Status } from '#shared/contract/api.ts'
import { RunComposites } from '#shared/contract/composite.ts'
import type { CreateRun } from '#shared/contract/create-run.ts'
import { RunPending } from '#shared/contract/pending.ts'
import { ask, send } from './api.ts'
import { queryString } from './query-string.ts'

/** Keys that sign exports, newest first, as `GET /api/exports/keys` lists them. */
export const KeyList = z.object({
  keys: z.array(z.object({ fingerprint: z.string(), public_key: z.string(), valid_from: z.string(), retired_at: z.string().nullable() })),
})

export const getPending = query((id: string) => ask(RunPending, `/api/runs/${encodeURIComponent(id)}/pending`), 'pending')
export const getStatus = query(() => ask(Status, '/api/status'), 'status')
export const getModels = query((search: string, limit: number) => ask(ModelList, `/api/models${queryString({ search, limit })}`), 'models')
export const getBenchmarks = query(
  (provider: string | undefined) => ask(BenchmarkList, `/api/benchmarks${queryString({ provider })}`),
  'benchmarks',
)
export const getPlan = query((body: Partial<CreateRun>) => send(PlanPreview, '/api/runs/plan', body), 'plan')
export const getRuns = query(
  (filter: Record<string, string | number | undefined>) => ask(RunList, `/api/runs${queryString(filter)}`),
  'runs',
)
export const getRun = query((id: string) => ask(Run, `/api/runs/${encodeURIComponent(id)}`), 'run')
export const getComposites = query((id: string) => ask(RunComposites, `/api/runs/${encodeURIComponent(id)}/composites`), 'composites')
export const getBenchmarkPage = query(
  (id: string, name: string) => ask(BenchmarkPage, `/api/runs/${encodeURIComponent(id)}/benchmarks/${encodeURIComponent(name)}?limit=1`),
  'benchmark-page',
)

export const getAgents = query(() => ask(AgentList, '/api/agents'), 'agents')
export const getKeys = query(() => ask(KeyList, '/api/exports/keys'), 'keys')
