import { sql } from 'drizzle-orm'
import { index, pgEnum, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { teamRoles } from '#shared/contract/team-rights.ts'
import { moment } from './column.ts'

/** In the order of the roles, from the least to the most: PostgreSQL compares its values so. */
export const teamRole = pgEnum('team_role', teamRoles)

/** Teams own runs, tasks, keys and budgets under the owner id `team:<id>`. */
export const teams = pgTable(
  'teams',
  {
    id: uuid().primaryKey(),
    name: text().notNull(),
    made_by: text().notNull(),
    created_at: moment().notNull().default(sql`now()`),
  },
  (table) => [index('teams_made_by').on(table.made_by)],
)

const ofTeam = () =>
  uuid()
    .notNull()
    .references(() => teams.id, { onDelete: 'cascade' })

export const teamMembers = pgTable(
  'team_members',
  {
    team_id: ofTeam(),
    owner_id: text().notNull(),
    username: text().notNull(),
    role: teamRole().notNull(),
    joined_at: moment().notNull(),
  },
  (table) => [primaryKey({ columns: [table.team_id, table.owner_id] }), index('team_members_owner').on(table.owner_id)],
)

/** Invitations, known by the hash of their secret only. */
export const teamInvitations = pgTable(
  'team_invitations',
  {
    id: text().primaryKey(),
    team_id: ofTeam(),
    role: teamRole().notNull(),
    sha256: text().notNull().unique(),
    /** Name of the only user who can accept the invitation. Null: any user with the secret can. */
    username: text(),
    expires_at: moment().notNull(),
    used_at: moment(),
    made_by: text().notNull(),
  },
  (table) => [index('team_invitations_team').on(table.team_id)],
)
