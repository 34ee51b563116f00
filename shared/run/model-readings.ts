import type { RoleModelName } from './choose-role.ts'

/**
 * What a name may mean, the likelier first: a model's own id, which wins wherever there is one, then one with its provider in front, as in
 * `openrouter/vendor/model`. That provider must be among `providers`, and no other may be named beside it; it is never sent on.
 */
export function modelReadings({ model_id, provider }: RoleModelName, providers: readonly { id: string }[]): RoleModelName[] {
  const own = { model_id, provider }
  // An id may hold no slash, so that nothing but the first part can name a provider.
  const at = model_id.indexOf('/')
  const named = at > 0 ? model_id.slice(0, at) : null
  const rest = model_id.slice(at + 1)
  const fits = named !== null && rest !== '' && (provider ?? named) === named && providers.some(({ id }) => id === named)
  return fits ? [own, { model_id: rest, provider: named }] : [own]
}
