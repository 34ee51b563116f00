import { findTask } from '#shared/benchmarks/tasks.ts'
import type { Outcome } from '#shared/contract/failure.ts'
import { defaultLimits } from '#shared/contract/limits.ts'
import type { KeptAnswers } from '#shared/contract/regrade.ts'
import type { PlannedReplay } from '#shared/contract/replay.ts'
import { mapRoles, roleEntries, rolesOf, roleTitles } from '#shared/contract/role.ts'
import type { PlannedBenchmark, RunSpec } from '#shared/contract/run.ts'
import type { MeasuredBy } from '#shared/contract/stream.ts'
import type { KeyedProvider } from '#shared/providers/provider.ts'
import { secretsOf } from '#shared/providers/provider-headers.ts'
import { refusedParameter } from '#shared/providers/refused-parameter.ts'
import { needsIn } from '#shared/run/match/match-run.ts'
import { readReplay } from '#shared/run/replay.ts'
import { silent, type Telemetry } from '#shared/telemetry/telemetry.ts'
import { settleAddress } from './configured-providers.ts'
import type { DatasetEnv } from './dataset/dataset-env.ts'
import type { FetchUpload } from './dataset/fetch-upload.ts'
import { createTablesOf } from './dataset/kept-tables.ts'
import type { OpenedDataset } from './dataset/open-dataset.ts'
import { createLanes, plainCall } from './lanes/lanes.ts'
import { createReadyMaker } from './make-ready.ts'
import type { RateGate } from './model/rate-gate.ts'
import { openEndpoints } from './open-endpoints.ts'
import { createLimiters, openModels } from './open-models.ts'
import { openPlanned, refused } from './open-planned.ts'
import { makePreflight, nothingFound } from './preflight.ts'
import { readyModels } from './ready-models.ts'
import { openHandOvers, type ReadHandedOver } from './replay/hand-overs.ts'
import { createReplayModel } from './replay/replay-model.ts'
import type { Equip } from './run-worker.ts'
import { type AgentSandboxes, noSandboxes } from './sandbox/open-sandboxes.ts'
import { createCallMeters } from './telemetry/call-meters.ts'
import { meterLanes } from './telemetry/meter-lanes.ts'
import type { OpenedBenchmark } from './trial/execute-trial.ts'
import { type ArtifactStore, noResources } from './trial/resources.ts'
import { scoreApart } from './trial/score-apart.ts'
import { createUnloader } from './unload-models.ts'
import { withoutSecrets } from './without-secrets.ts'

/** What an agent has for all its runs. */
export type Means = {
  providers: readonly KeyedProvider[]
  env: DatasetEnv
  /** Calls at once. */
  slots: number
  gateOf(provider: string): RateGate
  /** The agent's own: like the keys, no text from outside carries it on. */
  token?: string
  /** Gives the sandboxes that hold by now, once they have been tried: runs that need none do not wait for it. None where it is left out. */
  sandboxes?(): Promise<Pick<AgentSandboxes, 'sandboxes' | 'machines' | 'rooms'>>
  /** The store of a run's artifacts. */
  artifactsOf(run_id: string): ArtifactStore
  /** Reads what was kept of the answers that a run replays. */
  replayOf(run_id: string): Promise<Outcome<unknown>>
  /** Reads what episodes of an earlier run handed over, for a run that grades them again; such a run is refused where it is left out. */
  handedOverOf?(run_id: string): ReadHandedOver
  /** Fetches the uploaded tasks of a run; none where it is left out. */
  uploadsOf?(run_id: string): FetchUpload
  /** As whom the agent measures in a run; nobody where it is left out. */
  measuredBy?(run_id: string): MeasuredBy
  telemetry?: Telemetry
}

/**
 * Makes a run ready to work: opens data and official texts of every benchmark and clients for its model and helpers. One limiter per provider
 * key is shared by all runs of this process; a key of the agents' own passes the gate of its provider's rate limit too. A run that cannot be
 * made ready gets the failure that says who must act.
 */
export function createEquip({
  providers: configured,
  env,
  slots,
  gateOf,
  token,
  artifactsOf,
  replayOf,
  uploadsOf,
  handedOverOf,
  measuredBy,
  sandboxes: tried = async () => noSandboxes,
  telemetry = silent,
}: Means): Equip {
  const lanes = createLanes({ calls: slots })
  const widened = async () => {
    const found = await tried()
    lanes.widen(found.rooms)
    return found
  }
  void widened()
  meterLanes(telemetry, lanes)
  const limiterFor = createLimiters(slots, gateOf)
  const meters = createCallMeters(telemetry)
  const useModels = createUnloader(telemetry)
  const tablesOf = createTablesOf(env)
  return async (spec, credential, _width, renew) => {
    const settled = await Promise.all(configured.map((one) => (isAsked(one, spec) ? settleAddress(one, fetch) : one)))
    const providers = withOwnProvider(settled, spec)
    const missing = missingProvider(spec, providers) ?? refusedHere(spec, providers)
    if (missing) return missing
    const replay = spec.replay && (await readKept(spec.replay, spec.run_id, replayOf))
    if (replay && !replay.ok) return replay
    if (spec.regrade && !handedOverOf)
      return refused('replay', 'unavailable', 'What was handed over is read from the service, and this run has none.')
    const own = spec.own_credential
      ? { provider: spec.model.provider, api_key: credential, renew, replaceable: spec.own_provider !== undefined }
      : null
    // The provider of an owner's key stands in place of the agent's own of that name, whose key no reply may carry either.
    const secrets = [token ?? null, env.hfToken, ...configured.flatMap(secretsOf)]
    const limits = spec.benchmarks.map((planned) => planned.limits ?? defaultLimits)
    const models = openModels(providers, own, limiterFor, slots, { secrets, limits, meters })
    const benchmarks = new Map<string, OpenedBenchmark>()
    const datasets: OpenedDataset[] = []
    const close = async (): Promise<void> => {
      await models.close()
      await Promise.all(datasets.map((dataset) => dataset.close()))
    }
    for (const planned of spec.benchmarks) {
      const opened = await openBenchmark(
        planned,
        uploadsOf ? { ...env, uploads: uploadsOf(spec.run_id) } : env,
        tablesOf,
        (dataset) => datasets.push(dataset),
        mapRoles(rolesOf(planned), ({ model }) => models.open(model)),
      )
      if (!opened.ok) {
        await close()
        return withoutSecrets(opened, [...secrets, ...providers.flatMap(secretsOf)])
      }
      benchmarks.set(planned.name, opened.value)
    }
    const { run_id } = spec
    const readHandedOver = spec.regrade && handedOverOf?.(run_id)
    const unready = await readyModels(spec, providers, env.signal ?? new AbortController().signal)
    if (unready) {
      await close()
      return { ok: false, failure: unready }
    }
    const { sandboxes, machines } = spec.benchmarks.some((planned) => needsIn(planned).sandbox) ? await widened() : noSandboxes
    let contextLength: number | null = null
    const resources = {
      ...noResources,
      contextLength: () => contextLength,
      run_id,
      tested: spec.model.slug,
      sandboxes,
      machines,
      artifacts: artifactsOf(run_id),
      lanes: lanes.of(run_id),
      ...(replay && readHandedOver && { handedOver: openHandOvers(replay.value, readHandedOver) }),
      measuredBy: measuredBy?.(run_id) ?? null,
    }
    const { pulse, clean } = models
    // Who grades again works in no machine of a task: nothing is known there of what comes next.
    const maker = !spec.regrade && machines?.expect ? createReadyMaker(benchmarks, machines.expect) : null
    const endpoints = openEndpoints(providers, own, limiterFor, {
      secrets,
      place: (endpoint, signal) => resources.lanes.call(endpoint, plainCall, signal),
    })
    const preflight = async (signal: AbortSignal) => {
      const failure = await readyModels(spec, providers, signal)
      if (failure) return { found: nothingFound, halt: { failure, until: null } }
      const made = await makePreflight(spec, await showsPictures(spec), endpoints, signal)
      contextLength = made.found.context_length
      return made
    }
    const model = replay ? createReplayModel(replay.value, clean) : models.open(spec.model)
    const letGo = useModels(spec, providers)
    const end = async (): Promise<void> => {
      maker?.close()
      await close()
      await letGo()
    }
    return { ok: true, value: { benchmarks, model, resources, pulse, clean, preflight, ...(maker && { ahead: maker.ahead }), close: end } }
  }
}

/** The providers with the one that the owner's key is for, in place of this agent's own of that name: the key goes nowhere else. */
function withOwnProvider(providers: KeyedProvider[], { own_provider }: RunSpec): KeyedProvider[] {
  if (!own_provider) return providers
  return [...providers.filter(({ id }) => id !== own_provider.id), { ...own_provider, models: [], api_key: null }]
}

/** Whether a run asks a provider anything. */
function isAsked({ id }: KeyedProvider, { model, benchmarks, replay, own_provider }: RunSpec): boolean {
  if (own_provider?.id === id) return false
  if (!replay && model.provider === id) return true
  return benchmarks.some((planned) => roleEntries(rolesOf(planned)).some(([, helper]) => helper.model.provider === id))
}

async function readKept(planned: PlannedReplay, run_id: string, replayOf: Means['replayOf']): Promise<Outcome<KeptAnswers>> {
  const kept = await replayOf(run_id)
  return kept.ok ? readReplay(planned, kept.value) : kept
}

/** Whether items of the run may hold pictures. */
async function showsPictures(spec: RunSpec): Promise<boolean> {
  const tasks = await Promise.all(spec.benchmarks.map(({ name }) => findTask(name)))
  return tasks.some((task) => task?.card.input.some((kind) => kind === 'image'))
}

/** The first model of a run whose provider this agent does not have, as the failure that says who must act. */
function missingProvider(spec: RunSpec, providers: readonly KeyedProvider[]): Outcome<never> | null {
  const helpers = spec.benchmarks.flatMap((planned) => roleEntries(rolesOf(planned)))
  const tested = spec.replay ? [] : [['provider', spec.model] as const]
  const asked = [...tested, ...helpers.map(([role, { model }]) => [role, model] as const)]
  const [at, model] = asked.find(([, one]) => !providers.some((each) => each.id === one.provider)) ?? []
  if (!at || !model) return null
  const known = providers.map((each) => each.id).join(', ') || 'none'
  const whose = at === 'provider' ? '' : `, which has the ${roleTitles[at].toLowerCase()} ${model.slug}`
  return refused(
    at,
    'not-found',
    `This agent has no provider "${model.provider}"${whose} (it has: ${known}). Configure it on the agent, then resume the run.`,
  )
}

/**
 * What the run asks and this agent's provider cannot do: planning refuses that by the service's configuration of it, which may say
 * otherwise. Sent all the same, most servers would ignore it.
 */
function refusedHere({ model, benchmarks, replay }: RunSpec, providers: readonly KeyedProvider[]): Outcome<never> | null {
  const provider = providers.find(({ id }) => id === model.provider)
  if (!provider || replay) return null
  for (const { params } of benchmarks) {
    const why = refusedParameter(params, model, provider)
    if (why) return refused('provider', 'bad-request', `As this agent has ${provider.id} configured: ${why.message}`)
  }
  return null
}

async function openBenchmark(
  planned: PlannedBenchmark,
  env: DatasetEnv,
  tablesOf: ReturnType<typeof createTablesOf>,
  keep: (dataset: OpenedDataset) => void,
  helpers: OpenedBenchmark['helpers'],
): Promise<Outcome<OpenedBenchmark>> {
  const opened = await openPlanned(planned, env, keep)
  if (!opened.ok) return opened
  const { task, profile, texts, items } = opened.value
  const solver = task.solver(profile.id, texts)
  const { tables, whole } = await tablesOf(profile.tables)
  // Without a table every score that needs it fails at once; a thread would look for it anew each time.
  const scoring = whole ? scoreApart(task, profile.tables, env) : task
  return {
    ok: true,
    value: { planned, task: scoring, solver, helpers, tables, item: items.item, hidden: items.hidden, images: items.images },
  }
}
