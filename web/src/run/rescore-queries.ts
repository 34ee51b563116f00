import { query } from '@solidjs/router'
import { RescoreList, RescorePage } from '#shared/contract/rescore.ts'
import { ask } from '../api.ts'

export const getRescores = query((id: string) => ask(RescoreList, `/api/runs/${encodeURIComponent(id)}/rescores`), 'rescores')
export const getRescore = query(
  (id: string, rescore: string) => ask(RescorePage, `/api/runs/${encodeURIComponent(id)}/rescores/${encodeURIComponent(rescore)}`),
  'rescore',
)
