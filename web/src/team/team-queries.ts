import { createAsync, query } from '@solidjs/router'
import { TeamDetail, TeamList } from '#shared/contract/team.ts'
import type { TeamPlace } from '#shared/contract/team-place.ts'
import { getSignIn } from '../account/sign-in-query.ts'
import { ask } from '../api.ts'

export const getTeams = query(() => ask(TeamList, '/api/teams'), 'teams')
export const getTeam = query((id: string) => ask(TeamDetail, `/api/teams/${encodeURIComponent(id)}`), 'team')

/** The teams of the visitor, from the answer that names him on every page; empty until it is there. */
export function useTeams(): () => TeamPlace[] {
  const answer = createAsync(() => getSignIn())
  return () => {
    const got = answer.latest
    return got?.ok ? got.value.teams : []
  }
}
