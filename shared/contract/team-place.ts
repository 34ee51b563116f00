import * as z from 'zod'
import { teamRoles } from './team-rights.ts'

/** Name of a team within the service: a UUID, lower case. Anything else is treated as unknown (404). */
export const TeamId = z.uuid().brand<'TeamId'>()
export type TeamId = z.infer<typeof TeamId>
export const TeamRoleName = z.enum(teamRoles)

/** A team as each of its members sees it, with the member's own role. */
export const TeamPlace = z.object({ id: z.string(), name: z.string(), role: TeamRoleName })
export type TeamPlace = z.infer<typeof TeamPlace>
