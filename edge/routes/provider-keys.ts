import { OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import type { StoredProviderKey } from '#db/store.ts'
import { ProviderKey, ProviderKeyList, SaveProviderKey } from '#shared/contract/provider-keys.ts'
import type { AppEnv } from '../app-env.ts'
import { providerKeyContext, SealBroken } from '../auth/seal.ts'
import type { Deps } from '../deps.ts'
import { Problem } from '../problem.ts'
import { askProvider } from '../provider-keys/ask-provider.ts'
import { chosenProvider, isAllowed, namedProviders } from '../provider-keys/own-provider.ts'
import { json, jsonBody, refusals } from './answers.ts'
import { declareRoute } from './declare-route.ts'

/** Most keys of one owner. */
const mostKeys = 10

/** A key of this service may not manage keys of providers: one that leaked could put another in place of its owner's. */
const access = { who: 'signed in or operator' } as const
const refused = refusals('unauthorized', 'forbidden', 'unavailable')
const list = declareRoute({
  method: 'get',
  path: '/api/provider-keys',
  access,
  cost: 'cheap',
  summary: 'Your keys at providers, without their secrets, and which providers you may save one for',
  responses: { 200: json(ProviderKeyList, 'The keys'), ...refused },
})
const save = declareRoute({
  method: 'post',
  audits: 'provider-key.save',
  path: '/api/provider-keys',
  access,
  cost: 'cheap',
  summary: 'Save a key of yours at a provider, in place of the one you had there',
  description:
    'Runs that you start on models of that provider are then paid with the key; runs of others never are. The key is sealed, is sent to that provider alone, and is never shown again. The provider is asked for its models and, where that is free, whether the key is good.',
  request: jsonBody(SaveProviderKey, { provider: 'openrouter', key: 'sk-or-…-the-whole-key' }),
  responses: {
    201: json(ProviderKey, 'The key, without its secret'),
    ...refused,
    ...refusals('not-offered', 'validation', 'bad-json', 'unsupported-media-type', 'body-too-large'),
  },
})
const remove = declareRoute({
  method: 'delete',
  audits: 'provider-key.delete',
  path: '/api/provider-keys/{provider}',
  access,
  cost: 'cheap',
  summary: 'Delete your key at a provider; runs that it pays for are parked within five minutes',
  request: { params: z.object({ provider: z.string().max(60) }) },
  responses: {
    200: json(z.object({ success: z.literal(true), message: z.string() }), 'Deleted'),
    ...refused,
    ...refusals('not-found'),
  },
})

/** Keys that people have at providers. */
export function providerKeyRoutes(deps: Deps) {
  return new OpenAPIHono<AppEnv>()
    .openapi(list, async (c) => {
      const keys = await deps.store.listProviderKeys(c.get('owner_id'))
      return c.json(
        {
          keys: keys.filter(({ base_url }) => isAllowed(base_url, deps.config)).map(shown),
          offered: namedProviders(deps.config).map(({ id, label }) => ({ provider: id, label })),
          origins: deps.config.access.own_provider_origins,
          most: mostKeys,
        },
        200,
      )
    })
    .openapi(save, async (c) => {
      const { key: secret, ...asked } = c.req.valid('json')
      const owner_id = c.get('owner_id')
      const chosen = chosenProvider(asked, deps.config)
      const { verdict, models, base_url } = await askProvider(chosen, secret, deps)
      const at = deps.now().toISOString()
      const named = { owner_id, provider: chosen.id, label: chosen.label, kind: chosen.kind, base_url }
      const sealed = await sealOrExplain(secret, providerKeyContext(named), deps)
      const row = { ...named, id: deps.newId(), sealed, last4: secret.slice(-4), verdict, models, asked_at: at, created_at: at }
      if (!(await deps.store.saveProviderKey(row, mostKeys))) {
        const message = `You have ${mostKeys} keys at providers, which is as many as you may have. Delete one first.`
        throw new Problem('validation', message, { errors: [{ pointer: '/provider', message }] })
      }
      c.set('touched', { target: `provider-key:${row.provider}`, owner_id, detail: { name: row.label, base_url, last4: row.last4 } })
      return c.json(shown({ ...row, used_at: null }), 201)
    })
    .openapi(remove, async (c) => {
      const { provider } = c.req.valid('param')
      const owner_id = c.get('owner_id')
      if (!(await deps.store.deleteProviderKey(owner_id, provider))) throw new Problem('not-found', 'You have no key at that provider.')
      c.set('touched', { target: `provider-key:${provider}`, owner_id, detail: { name: provider } })
      return c.json({ success: true as const, message: 'The key is deleted. Runs that it pays for are parked.' }, 200)
    })
}

/** Named one by one, so that nothing sealed is ever among them. */
function shown(key: StoredProviderKey): ProviderKey {
  const { provider, label, base_url, last4, verdict, asked_at, created_at, used_at } = key
  return { provider, label, base_url, last4, verdict, models: key.models?.length ?? null, asked_at, created_at, used_at }
}

async function sealOrExplain(secret: string, context: string, { seal }: Deps): Promise<string> {
  try {
    return await seal.seal(secret, context)
  } catch (cause) {
    if (!(cause instanceof SealBroken)) throw cause
    throw new Problem('not-offered', 'This service seals no keys: its operator has set no MASTER_KEY that reads.', { cause })
  }
}
