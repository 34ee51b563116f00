import type { TeamPlace } from '#shared/contract/team-place.ts'
import { mayInTeam, type TeamRight } from '#shared/contract/team-rights.ts'

/** Whether the visitor does that with a thing that was shown to him as his own, or as a team's. */
export const mayIn = (team: Pick<TeamPlace, 'role'> | null | undefined, right: TeamRight): boolean => !team || mayInTeam(team.role, right)
