import type { Card, Profile } from '../contract/card.ts'
import type { CreateRun } from '../contract/create-run.ts'
import type { ModelParams } from '../contract/message.ts'
import { writtenRouting } from '../contract/routing.ts'
import type { ConfiguredProvider } from '../providers/provider.ts'
import { refusedParameter } from '../providers/refused-parameter.ts'
import type { AskedModel } from './choose-role.ts'
import { RunRefused } from './run-refused.ts'

/** The provider of this id as it is configured here; undefined for one that is not, as that of a replay. */
export type ProviderLookup = { providerOf(id: string): ConfiguredProvider | undefined }

type Asked = Pick<
  CreateRun,
  'temperature' | 'top_p' | 'max_tokens' | 'reasoning_effort' | 'reasoning_budget_tokens' | 'routing' | 'tool_calling' | 'replay'
>

/**
 * The parameters of every question of a benchmark: the profile's, and what the request sets in their place. Throws `RunRefused` for what the
 * model's provider cannot do, before anything is paid.
 */
export function plannedParams(
  body: Asked,
  { name }: Pick<Card, 'name'>,
  profile: Pick<Profile, 'params'>,
  model: AskedModel,
  { providerOf }: ProviderLookup,
): ModelParams {
  const params: ModelParams = {
    ...profile.params,
    ...(body.temperature != null && { temperature: body.temperature }),
    ...(body.top_p != null && { top_p: body.top_p }),
    ...(body.max_tokens != null && { max_tokens: body.max_tokens }),
    ...reasoningIn(body),
    ...(body.routing != null && { routing: writtenRouting(body.routing) }),
    ...(body.tool_calling === 'text' && { tool_calling: body.tool_calling }),
  }
  if (body.tool_calling === 'native') delete params.tool_calling
  requireRoom(params, name)
  // Where answers are replayed nothing is sent.
  const provider = body.replay ? undefined : providerOf(model.provider)
  const refused = provider && refusedParameter(params, model, provider)
  if (refused) throw invalid(refused.field, refused.message)
  return params
}

/** A level or a budget, in place of the profile's level. */
function reasoningIn({ reasoning_effort, reasoning_budget_tokens }: Asked): Partial<ModelParams> {
  if (reasoning_budget_tokens == null) return reasoning_effort == null ? {} : { reasoning_effort }
  if (reasoning_effort == null) return { reasoning_effort: null, reasoning_budget_tokens }
  throw invalid(
    'reasoning_budget_tokens',
    'Give a level (reasoning_effort) or a budget (reasoning_budget_tokens), not both: each is a run of its own.',
  )
}

function requireRoom({ reasoning_budget_tokens: budget, max_tokens: most }: ModelParams, benchmark: string): void {
  if (budget === undefined || most === null || budget < most) return
  throw invalid(
    'reasoning_budget_tokens',
    `An answer to ${benchmark} may have ${most} tokens, and those of reasoning are among them: a budget of ${budget} leaves none to answer with. Lower it, or raise max_tokens.`,
  )
}

const invalid = (field: string, message: string) => new RunRefused('validation', `/${field}`, message)
