import { type CallLimits, defaultLimits } from '#shared/contract/limits.ts'
import type { ModelPulse } from '#shared/contract/pulse.ts'
import { untoldUsage } from '#shared/contract/usage.ts'
import type { KeyedProvider } from '#shared/providers/provider.ts'
import { createRedactor } from '#shared/secrets/redactor.ts'
import { silent } from '#shared/telemetry/telemetry.ts'
import { type AdaptiveLimiter, createKeyLimiter, type KeyLimiter } from './model/adaptive-limiter.ts'
import { timeoutsOf } from './model/call-result.ts'
import { type CallWatch, createCallWatch } from './model/call-watch.ts'
import { createGenerate } from './model/generate.ts'
import { createModelClient, endpointOf, type ModelClient } from './model/model-client.ts'
import type { RateGate } from './model/rate-gate.ts'
import { createRenewedClient } from './model/renewed-client.ts'
import { addressFor, givesWay, heldKeys, type OwnKey, runKey } from './run-key.ts'
import { type CallMeter, type CallMeters, createCallMeters } from './telemetry/call-meters.ts'
import type { TrialModel } from './trial/trial-model.ts'

type Owner = 'agent' | 'run-owner'
type LimiterFor = (provider: Pick<KeyedProvider, 'id' | 'base_url'>, apiKey: string | null, whose: Owner) => KeyLimiter
type Named = { slug: string; provider: string }

/**
 * One limiter for each address and key: what a provider allows, it allows a key, whichever runs and models ask; how many calls a model bears
 * and whether it answers at all is its own affair. A key of the agents' own passes the gate of its provider's rate limit too, which the
 * whole fleet shares.
 */
export function createLimiters(slots: number, gateOf: (provider: string) => RateGate): LimiterFor {
  const limiters = new Map<string, KeyLimiter>()
  return ({ id, base_url }, apiKey, whose) => {
    const key = `${base_url} ${apiKey ?? ''}`
    const limiter = limiters.get(key) ?? createKeyLimiter({ max: slots, ...(whose === 'agent' && { rate: gateOf(id) }) })
    limiters.set(key, limiter)
    return limiter
  }
}

type Connected = { endpoint: string; client: ModelClient; limiter: AdaptiveLimiter; watch: CallWatch; meter: CallMeter }
/** `secrets` no reply carries on; `limits` are those of the run's benchmarks; `meters` are the agent's. */
type Beside = { secrets?: readonly (string | null)[]; limits?: readonly CallLimits[]; meters?: CallMeters }

/**
 * Clients of one run, one for each provider and model, so that a judge which several benchmarks share is opened once. The owner's key
 * goes to the provider it belongs to and to no other; it is asked for with the first question, as it comes with the first leases. No reply
 * carries on what is in `secrets` or any key of a provider. `open` expects a provider that is there. `limits` are those of the run's
 * benchmarks: a connection is waited for as long as the most patient of them allows.
 */
export function openModels(
  providers: readonly KeyedProvider[],
  own: OwnKey,
  limiterFor: LimiterFor,
  slots: number,
  { secrets = [], limits = [defaultLimits], meters = createCallMeters(silent) }: Beside = {},
) {
  const opened = new Map<string, TrialModel>()
  const clients: ModelClient[] = []
  const watches: CallWatch[] = []
  const calls: CallMeter[] = []
  const heldWith = (key: string | null): string[] => heldKeys(key, providers, secrets)
  /** All keys of the owner that this run has used. Replies are redacted for each of them. */
  const seen = new Set<string>()
  let cleaner: { key: string | null; clean: (text: string) => string } | undefined
  const cleanerFor = (key: string | null): ((text: string) => string) => {
    if (cleaner?.key !== key) cleaner = { key, clean: createRedactor([...heldWith(key), ...seen]) }
    return cleaner.clean
  }
  const patient = { ...defaultLimits, connect_ms: Math.max(...limits.map((one) => one.connect_ms)) }
  const connect = (provider: KeyedProvider, slug: string): Connected => {
    const { apiKey, whose, held } = runKey(provider, own, providers, secrets)
    const options = { model: slug, connections: slots, timeouts: timeoutsOf(patient) }
    const clientOf = (key: string | null): ModelClient => {
      if (whose === 'run-owner' && key !== null) seen.add(key)
      return createModelClient({ ...endpointOf(addressFor(provider, key)), apiKey: key, ...options, secrets: [...held, ...seen] })
    }
    const renew = own?.renew
    const isRenewed = whose === 'run-owner' && apiKey !== null && (own?.replaceable || givesWay(apiKey)) && renew
    const client = isRenewed ? createRenewedClient(clientOf, { now: () => own.api_key() ?? apiKey, renew }) : clientOf(apiKey)
    const addressed = addressFor(provider, apiKey)
    const limiter = limiterFor(addressed, apiKey, whose).lane(slug)
    const named = { provider: provider.id, model: slug }
    const watch = createCallWatch(named, limiter)
    const meter = meters.open(named, limiter)
    clients.push(client)
    watches.push(watch)
    calls.push(meter)
    return { endpoint: addressed.base_url, client, limiter, watch, meter }
  }
  return {
    open({ slug, provider: id }: Named): TrialModel {
      const name = JSON.stringify([id, slug])
      const known = opened.get(name)
      if (known) return known
      const provider = providers.find((each) => each.id === id)
      if (!provider) throw new RangeError(`there is no provider ${id} here`)
      const model = trialModel(() => connect(provider, slug))
      opened.set(name, model)
      return model
    },
    /** What the run's calls do now, model by model. */
    pulse: (): ModelPulse[] => watches.map((watch) => watch.pulse()),
    /** A text without any key that this run may know. */
    clean: (text: string): string => cleanerFor(own?.api_key() ?? null)(text),
    async close(): Promise<void> {
      for (const meter of calls) meter.close()
      for (const client of clients) await client.close()
    },
  }
}

function trialModel(connect: () => Connected): TrialModel {
  let resetAt: string | null = null
  let connected: ReturnType<typeof connect> | undefined
  return {
    resetAt: () => resetAt,
    generate(request, signal, onCall, limits = defaultLimits, place, onAnswer) {
      connected ??= connect()
      const { endpoint, meter, ...ports } = connected
      return createGenerate({
        ...ports,
        signal,
        limits,
        place: place && (() => place(endpoint, signal)),
        onAnswer,
        onCall(call) {
          meter.called(call)
          resetAt = call.reset_at ?? resetAt
          onCall(call.usage ?? untoldUsage, call.stream)
        },
      })(request)
    },
  }
}
