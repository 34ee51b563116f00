import * as z from 'zod'
import { spokenText } from './spoken-text.ts'
import { TeamPlace, TeamRoleName } from './team-place.ts'

export const TeamName = spokenText(80)

/** Most teams that one person makes, teams that one person is in, members of a team, and its open invitations. */
export const mostTeamsMade = 10
export const mostMemberships = 50
export const mostMembers = 100
export const mostInvitations = 50
/** Days after which an invitation ends. */
export const invitationDays = 7

export const Team = TeamPlace.extend({
  role: TeamRoleName.nullable().describe('Your role in the team; null for an operator who is no member'),
  members_total: z.int().describe('How many members it has'),
  created_at: z.string().describe('When the team was made, in UTC'),
})
export const TeamList = z.object({ teams: z.array(Team).describe('Teams by their names') })
export type Team = z.infer<typeof Team>

export const TeamMember = z.object({
  id: z.string().describe('Owner id of the member'),
  username: z.string().describe('The name at Chutes, as of the last acceptance'),
  role: TeamRoleName.describe('What the member may do'),
  joined_at: z.string().describe('When the member joined, in UTC'),
  you: z.boolean().describe('Whether it is you'),
})
export type TeamMember = z.infer<typeof TeamMember>

/** An invitation without its secret. */
export const TeamInvitation = z.object({
  id: z.string().describe('Id of the invitation'),
  role: TeamRoleName.describe('The role that it gives'),
  username: z.string().nullable().describe('The only person who can accept it, by the name at Chutes; null for anybody who has the link'),
  expires_at: z.string().describe('When it ends, in UTC'),
})
export type TeamInvitation = z.infer<typeof TeamInvitation>

export const TeamDetail = Team.extend({
  members: z.array(TeamMember).describe('Its members, admins first'),
  invitations: z.array(TeamInvitation).describe('Open invitations; empty for members who are no admins'),
})
export type TeamDetail = z.infer<typeof TeamDetail>

export const CreatedInvitation = TeamInvitation.extend({
  secret: z.string().describe('The secret of the link, shown this once'),
  link: z.string().describe('The link: the page `/join` with the secret behind `#`, which browsers send to no server'),
})

/** An invitation as its secret shows it, before it is accepted. */
export const SeenInvitation = z.object({
  team: z.string().describe('Name of the team'),
  role: TeamRoleName.describe('The role that it gives'),
  expires_at: z.string().describe('When it ends, in UTC'),
  member: TeamRoleName.nullable().describe('Your present role in the team; null where you are no member'),
})
export type SeenInvitation = z.infer<typeof SeenInvitation>
