import * as z from 'zod'
import { foreign } from './foreign.ts'
import { ModelParams } from './message.ts'
import { Price, Spent } from './usage.ts'

/** Models that take part in a trial beside the tested one: who judges its answer, and who plays the user it talks to. */
export const helperRoles = ['judge', 'user'] as const
export type HelperRole = (typeof helperRoles)[number]
/** Everyone that a solver may ask. */
export type Role = 'model' | HelperRole

/** How people call a role. */
export const roleTitles: Record<Role, string> = { model: 'Model', judge: 'Judge', user: 'User simulator' }

/** What a helper did, before its name. */
export const helpedBy: Record<HelperRole, string> = { judge: 'judged by', user: 'user played by' }

/** What is kept per helper role; a role that does not take part is absent. */
export const byRole = <S extends z.ZodType>(each: S) => z.partialRecord(z.enum(helperRoles), each)

/** A model that takes part in a planned benchmark, frozen with the run: it never changes with the tested model. */
export const PlannedRole = z.object({
  model: z.object({ id: z.string(), slug: z.string(), provider: z.string() }),
  price: Price.nullable(),
  params: ModelParams,
  /** Whether it is asked for a structured reply. */
  schema: z.boolean(),
})
export type PlannedRole = z.infer<typeof PlannedRole>

/** What a helper took in one trial, apart from the tested model. `model` is the one planned. */
export const RoleSpent = Spent.extend({
  model: z.string(),
  model_reported: foreign('provider', z.string().nullable()),
  calls: z.int().min(0),
})
export type RoleSpent = z.infer<typeof RoleSpent>

const nobody = Object.freeze({})

type ByRole<T> = Partial<Record<HelperRole, T>>

/** Returns the `roles` of a plan, a record or a run; empty if it has no helpers. */
export const rolesOf = <T>({ roles }: { roles?: ByRole<T> | undefined }): ByRole<T> => roles ?? nobody

/** The roles that are there, with what is said of them, in the order of `helperRoles`. */
export function roleEntries<T>(roles: Partial<Record<HelperRole, T>>): [HelperRole, T][] {
  return helperRoles.flatMap((role) => (roles[role] === undefined ? [] : [[role, roles[role]]]))
}

/** The same roles with something else said of each. */
export function mapRoles<T, R>(
  roles: Partial<Record<HelperRole, T>>,
  each: (one: T, role: HelperRole) => R,
): Partial<Record<HelperRole, R>> {
  if (roles === nobody) return nobody
  return Object.fromEntries(roleEntries(roles).map(([role, one]) => [role, each(one, role)]))
}
