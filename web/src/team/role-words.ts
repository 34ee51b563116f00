import type { TeamRole } from '#shared/contract/team-rights.ts'

/** What each role does, for people who choose one. */
export const roleWords: Record<TeamRole, string> = {
  viewer: 'reads runs, tasks and exports',
  runner: 'also starts and commands runs',
  admin: 'also decides about members, keys, budgets and who reads what',
}
