import { query } from '@solidjs/router'
import { RegradeComparison, RegradeList } from '#shared/contract/regrade.ts'
import { ask } from '../api.ts'

export const getRegrade = query((id: string) => ask(RegradeComparison, `/api/runs/${encodeURIComponent(id)}/regrade`), 'regrade')
export const getRegrades = query((id: string) => ask(RegradeList, `/api/runs/${encodeURIComponent(id)}/regrades`), 'regrades')
