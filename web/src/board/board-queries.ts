import { query } from '@solidjs/router'
import { Leaderboard, RunListing } from '#shared/contract/board.ts'
import { ask } from '../api.ts'
import { queryString } from '../query-string.ts'

export const getLeaderboard = query(
  (filter: Record<string, string | undefined>) => ask(Leaderboard, `/api/leaderboard${queryString(filter)}`),
  'leaderboard',
)
export const getListing = query((id: string) => ask(RunListing, `/api/runs/${encodeURIComponent(id)}/leaderboard`), 'listing')
