/** What a member of a team is, from the least to the most. */
export const teamRoles = ['viewer', 'runner', 'admin'] as const
export type TeamRole = (typeof teamRoles)[number]

/** What is done with things of a team. */
export const teamRights = ['read', 'work', 'manage'] as const
export type TeamRight = (typeof teamRights)[number]

/**
 * Which role does what. `read`: private runs, tasks, exports, spending. `work`: start, pause, cancel, retry,
 * regrade and name runs, upload tasks. `manage`: members, invitations, keys, budgets, visibility, deletion, audit.
 */
const rights: Record<TeamRole, Record<TeamRight, boolean>> = {
  viewer: { read: true, work: false, manage: false },
  runner: { read: true, work: true, manage: false },
  admin: { read: true, work: true, manage: true },
}

/** Whether a member with this role may do that. */
export const mayInTeam = (role: TeamRole, right: TeamRight): boolean => rights[role][right]
