import { query } from '@solidjs/router'
import { OpsOverview } from '#shared/contract/ops.ts'
import { ask } from '../api.ts'

/** What operators see of the service, apart from the other queries: their pages need not load its form. */
export const getOps = query(() => ask(OpsOverview, '/api/ops/overview'), 'ops')
