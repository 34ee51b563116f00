import type { Card, Profile, ProfileRole } from '../contract/card.ts'
import type { CreateRun } from '../contract/create-run.ts'
import type { Model } from '../contract/model.ts'
import { type HelperRole, type PlannedRole, roleEntries } from '../contract/role.ts'
import { RunRefused } from './run-refused.ts'

/** A model as a run needs to know it before it asks it. */
export type AskedModel = Pick<Model, 'id' | 'slug' | 'provider' | 'price' | 'context_length' | 'input_modalities'> &
  Partial<Pick<Model, 'features'>>

/** Which model is to take a role; `provider` is null where any will do. */
export type RoleModelName = { model_id: string; provider: string | null }

/** The model of that name, where it is known and being served. */
export type RoleLookup = (name: RoleModelName) => AskedModel | undefined

type Asked = Pick<CreateRun, 'judge' | 'roles' | 'allow_self_judge'>

/** What a helper does, for sentences, and the option and the field by which another is named. */
const words: Record<HelperRole, { does: string; passive: string; option: string; scores: string }> = {
  judge: {
    does: 'judge its own answers to',
    passive: 'The answers to NAME are judged by',
    option: 'judge.model_id (--judge)',
    scores: 'judges',
  },
  user: {
    does: 'play the user it talks to in',
    passive: 'The user in NAME is played by',
    option: 'roles.user.model_id (--user-model)',
    scores: 'users',
  },
}

/**
 * Who takes a role of a profile: whom the request names, else the profile's own. The demo model takes it itself unless another is named: such a
 * run says nothing about any model and has to work without a network.
 */
function nameOf(role: HelperRole, own: ProfileRole, body: Asked, model: Pick<AskedModel, 'id' | 'provider'>): RoleModelName {
  const named = { ...(body.judge && { judge: body.judge }), ...body.roles }[role]
  if (named) return { model_id: named.model_id, provider: named.provider ?? null }
  if (model.provider === 'demo') return { model_id: model.id, provider: model.provider }
  return { model_id: own.model, provider: own.provider }
}

/** The models that the roles of a profile need, to be looked up before it is planned. */
export function roleModelNames(profile: Profile, body: Asked, model: Pick<AskedModel, 'id' | 'provider'>): RoleModelName[] {
  return roleEntries(profile.roles ?? {}).map(([role, own]) => nameOf(role, own, body, model))
}

/** The helpers of a planned benchmark, frozen. Throws `RunRefused` for one that is not served here, and for the tested model itself. */
export function chooseRoles(
  card: Card,
  profile: Profile,
  body: Asked,
  model: AskedModel,
  find: RoleLookup,
): Partial<Record<HelperRole, PlannedRole>> {
  const chosen = roleEntries(profile.roles ?? {}).map(([role, own]) => [role, chooseRole(role, own, card, body, model, find)] as const)
  return Object.fromEntries(chosen)
}

function chooseRole(role: HelperRole, own: ProfileRole, card: Card, body: Asked, model: AskedModel, find: RoleLookup): PlannedRole {
  const name = nameOf(role, own, body, model)
  const { does, passive, option, scores } = words[role]
  const found = find(name)
  if (!found) {
    const where = name.provider === null ? 'here' : `by ${name.provider} here`
    throw invalid(
      role,
      `${passive.replace('NAME', card.display_name)} ${name.model_id}, which is not known or not being served ${where}. ` +
        `Choose another with ${option}; scores by different ${scores} cannot be compared.`,
    )
  }
  if (found.slug === model.slug && !body.allow_self_judge && model.provider !== 'demo') {
    throw invalid(
      role,
      `${model.slug} would ${does} ${card.display_name}. Choose another with ${option}, or allow it with allow_self_judge (--allow-self-judge).`,
    )
  }
  const { params, schema } = own
  return { model: { id: found.id, slug: found.slug, provider: found.provider }, price: found.price, params, schema }
}

const invalid = (role: HelperRole, message: string) => new RunRefused('validation', role === 'judge' ? '/judge' : `/roles/${role}`, message)
