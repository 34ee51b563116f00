import type { ListedModel } from '#shared/providers/listed-model.ts'
import type { KeyedProvider } from '#shared/providers/provider.ts'
import { sentHeaders } from '#shared/providers/provider-headers.ts'
import { defOf } from '#shared/providers/providers.ts'
import type { CallEnd } from './model/adaptive-limiter.ts'
import type { CallResult } from './model/call-result.ts'
import { listModels, readJson } from './model/list-models.ts'
import { createModelClient, defaultTimeouts, endpointOf, type ModelClient } from './model/model-client.ts'
import { providerFailure } from './model/provider-failure.ts'
import type { ModelRequest } from './model/request-body.ts'
import type { createLimiters } from './open-models.ts'
import { addressFor, listingKey, type OwnKey, runKey } from './run-key.ts'

/** What came of one request outside of any trial, with what the endpoint calls itself. */
export type Probed = { result: CallResult; server: string | null }

type Named = { slug: string; provider: string }
/** Waits for room for one call to an endpoint, as the trials of all runs do; gives what leaves it again. */
type TakePlace = (endpoint: string, signal: AbortSignal) => Promise<() => void>
type LimiterFor = ReturnType<typeof createLimiters>

/**
 * The endpoints of a run, to be asked outside of any trial: with the keys that its trials are asked with, each question over a connection of
 * its own, in a place of the agent's lanes and behind the limiter of its key. Both expect a provider that is there and reject when the signal
 * aborts; `list` as `listModels` does.
 */
export function openEndpoints(
  providers: readonly KeyedProvider[],
  own: OwnKey,
  limiterFor: LimiterFor,
  { secrets = [], place }: { secrets?: readonly (string | null)[]; place: TakePlace },
) {
  const find = ({ provider: id }: Named) => {
    const provider = providers.find((each) => each.id === id)
    if (!provider) throw new RangeError(`there is no provider ${id} here`)
    const found = runKey(provider, own, providers, secrets)
    return { listed: provider, provider: addressFor(provider, found.apiKey), ...found }
  }
  return {
    async probe(named: Named, request: ModelRequest, signal: AbortSignal): Promise<Probed> {
      const { provider, apiKey, whose, held } = find(named)
      const leave = await place(provider.base_url, signal)
      const options = { model: named.slug, connections: 1, timeouts: defaultTimeouts, secrets: held }
      const client = createModelClient({ ...endpointOf(provider), apiKey, ...options })
      try {
        return await askOnce(client, limiterFor(provider, apiKey, whose).lane(named.slug), request, signal)
      } finally {
        await client.close()
        leave()
      }
    },
    async list(named: Named, signal: AbortSignal): Promise<ListedModel[]> {
      const { listed, apiKey } = find(named)
      return listModels(listed, listingKey(apiKey), fetch, signal)
    },
    /** Whether the server itself says that its model is shown tools; null where it does not say. */
    async showsTools(named: Named, signal: AbortSignal): Promise<boolean | null> {
      const { listed, apiKey } = find(named)
      const { toolsTold } = defOf(listed)
      if (toolsTold === null) return null
      const headers = sentHeaders(listed, listingKey(apiKey))
      const json = await readJson(toolsTold.url(listed.base_url), headers, fetch, signal).catch(() => null)
      return toolsTold.read(json)
    },
  }
}

type Limiter = ReturnType<ReturnType<LimiterFor>['lane']>

async function askOnce(client: ModelClient, limiter: Limiter, request: ModelRequest, signal: AbortSignal): Promise<Probed> {
  const permit = await limiter.acquire(signal, 0)
  if (permit === 'circuit-open') return { result: circuitOpen, server: null }
  let end: CallEnd = { reason: null, retry_after_ms: null, canceled: true }
  let server: string | null = null
  try {
    const result = await client.call(request, signal, { onServer: (name) => (server = name) })
    const told = result.ok
      ? { reason: null, retry_after_ms: null }
      : { reason: result.failure.reason, retry_after_ms: result.retry_after_ms }
    end = { ...told, canceled: false }
    return { result, server }
  } finally {
    limiter.release(permit, end)
  }
}

const circuitOpen: CallResult = {
  ok: false,
  failure: providerFailure('circuit-open', 'the provider keeps failing; nothing was sent', null),
  ...{ retry_after_ms: null, reset_at: null, usage: null },
}
