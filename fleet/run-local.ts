import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { cards } from '#shared/benchmarks/cards.ts'
import type { CreateRun } from '#shared/contract/create-run.ts'
import type { StreamedEvent } from '#shared/contract/event.ts'
import { isTerminal, type RunHead, type RunSpec, type Subset } from '#shared/contract/run.ts'
import { BadKey, type SigningKey } from '#shared/export/signing-key.ts'
import { defOf } from '#shared/providers/providers.ts'
import { buildSpec } from '#shared/run/build-spec.ts'
import { createDataChoice } from '#shared/run/data-choice.ts'
import { sharesByItself } from '#shared/run/match/match-run.ts'
import { drainMs } from '#shared/run/patience.ts'
import { findReplayed } from '#shared/run/replay.ts'
import { RunRefused } from '#shared/run/run-refused.ts'
import { artifactsDir, openFolderStore } from './artifacts/folder-store.ts'
import { openLocalRun, restoredHead } from './coordinator/local-coordinator.ts'
import { type KeptRun, openRunFolder, readKeptReplay, reopenRunFolder } from './coordinator/run-folder.ts'
import { type DatasetEnv, datasetEnv } from './dataset/dataset-env.ts'
import { describeOverrides } from './dataset/overrides.ts'
import { sampleIdentities } from './dataset/sample-identities.ts'
import { createEquip } from './equip.ts'
import { openLists } from './list-items.ts'
import { openLocalKey } from './local-key.ts'
import { type LocalMetrics, measureLocalRun, signLocalRun } from './local-results.ts'
import { type LocalSandboxes, openLocalSandboxes } from './local-sandboxes.ts'
import { machineHost } from './machine/machine-host.ts'
import { ownRateGate } from './model/rate-gate.ts'
import { benchmarksDir, codeVersion } from './program.ts'
import { createRunWorker, type Equip } from './run-worker.ts'
import { sandboxHosts } from './sandbox/sandbox-hosts.ts'
import { besideReplay, openServedModel, type ServedModel } from './served-model.ts'
import { expectShortLives } from './short-lived.ts'
import type { Heavy } from './threads/heavy.ts'
import { openHeavyPool } from './threads/heavy-pool.ts'

export type RunLocalOptions = {
  model: string
  benchmarks: string[]
  subset: Omit<Subset, 'seed'> & { seed: string | null }
  /** The rest of what is asked; where it repeats one of the fields beside it, the field holds. */
  request: CreateRun
  profile: string | null
  data: CreateRun['data']
  concurrency: number
  /** Folder that gets one folder per run, and the key that signs them. */
  out: string
  env: Record<string, string | undefined>
  /** Pauses the run; what it has so far stays, and `resumeLocal` goes on. */
  signal: AbortSignal
  /** Hears once what will be asked and where the results go, before the first event. */
  onStart?(started: { spec: RunSpec; head: RunHead; dir: string }): void
  onEvent(event: StreamedEvent): void
  /** Hears what is odd about the surroundings, one sentence at a time. */
  onNote?(sentence: string): void
}

/** What a run needs of its surroundings, whether it begins or goes on. */
export type LocalSurroundings = Pick<RunLocalOptions, 'env' | 'signal' | 'onStart' | 'onEvent' | 'onNote'>
/** What is asked of this machine, before anything is written. */
export type AskedHere = Omit<RunLocalOptions, 'out' | 'onStart' | 'onEvent'>
type Opened = Pick<KeptRun, 'spec' | 'folder'> & Partial<Pick<KeptRun, 'events' | 'untold'>>

/** `bundle` is the path of the signed ZIP; null for a run that was stopped before its end. */
export type LocalRunResult = { spec: RunSpec; head: RunHead; dir: string; metrics: LocalMetrics; bundle: string | null }

/** The results of a run cannot be kept or signed; what was kept before is still there. */
export class ResultsUnwritable extends Error {}

/**
 * A run without any service: planned, decided, executed and signed by the same functions, with a folder for its record. Ends with the run,
 * or when it is parked with nobody who could resume it. Throws `RunRefused` for what cannot be asked here, before anything is written,
 * and `ResultsUnwritable`.
 */
export async function runLocal(options: RunLocalOptions): Promise<LocalRunResult> {
  return planLocal(options, async ({ spec, served, dataset }) => {
    const { env, out } = options
    await using sandboxes = await openSandboxesOf(spec, options)
    const { key, folder } = onDisk(() => {
      mkdirSync(out, { recursive: true })
      return { key: signingKey(out, env.BENCH_SIGNING_PRIVATE_KEY), folder: openRunFolder(out, spec, options.request.replay) }
    })
    // Awaited: sandboxes are open until it has ended.
    return await conclude({ spec, folder }, { key, served, dataset, sandboxes }, options)
  })
}

/** A local run as it was frozen, who serves its model, and what its data is opened with. */
export type PlannedHere = { spec: RunSpec; served: ServedModel; dataset: DatasetEnv }

/** Plans a local run and has it used; nothing is asked or written before. Throws `RunRefused` for what cannot be asked here. */
export async function planLocal<T>(options: AskedHere, use: (planned: PlannedHere) => Promise<T>): Promise<T> {
  const { env } = options
  const replayed = findReplayed(options.request)
  const heavy = openHeavyPool()
  const dataset = datasetOf(options, heavy)
  const asked = { model: options.model, provider: options.request.provider ?? null }
  const note = (sentence: string) => options.onNote?.(sentence)
  const served = replayed ? await besideReplay(replayed, env, note) : await openServedModel(asked, env, dataset, options.benchmarks, note)
  try {
    return await use({ spec: await freeze(options, served, dataset), served, dataset })
  } finally {
    await served.close()
    await heavy.close()
  }
}

const dataDirOf = ({ env }: Pick<LocalSurroundings, 'env'>): string => env.BENCH_DATA ?? '.data'

function datasetOf(options: Pick<LocalSurroundings, 'env' | 'signal'>, heavy: Heavy): DatasetEnv {
  return datasetEnv(options.env, { cacheDir: join(dataDirOf(options), 'cache'), benchmarksDir, signal: options.signal, heavy })
}

const openSandboxesOf = (spec: RunSpec, options: LocalSurroundings): Promise<LocalSandboxes> =>
  openLocalSandboxes(spec, sandboxHosts(options.env), dataDirOf(options), machineHost(options.env))

/**
 * Goes on with a run that an earlier process left in `dir`: what it kept is not asked again. One that ended and was not signed is signed.
 * Throws `RunRefused` for a run that was canceled or is signed, for what is no folder of a run, and for a model that is not served here.
 */
export async function resumeLocal(dir: string, options: LocalSurroundings): Promise<LocalRunResult> {
  const { env } = options
  const kept = readKept(dir)
  const heavy = openHeavyPool()
  const dataset = datasetOf(options, heavy)
  const { model, price, replay } = kept.spec
  const note = (sentence: string) => options.onNote?.(sentence)
  const served = replay
    ? await besideReplay({ ...model, price, context_length: null, input_modalities: [] }, env, note)
    : await openServedModel({ model: model.slug, provider: model.provider }, env, dataset, namesOf(kept.spec), note)
  try {
    await using sandboxes = await openSandboxesOf(kept.spec, options)
    const key = signingKey(dirname(dir), env.BENCH_SIGNING_PRIVATE_KEY)
    return await conclude(kept, { key, served, dataset, sandboxes }, options)
  } finally {
    await served.close()
    await heavy.close()
  }
}

const namesOf = ({ benchmarks }: RunSpec): string[] => benchmarks.map(({ name }) => name)

/** A local run as its folder shows it, also while another process works on it. Throws `RunRefused` for what is no such folder. */
export async function readLocalRun(dir: string): Promise<LocalRunResult & Pick<KeptRun, 'folder'>> {
  const { spec, folder, events } = openKept(dir, 'read')
  const bundle = readdirSync(dir).findLast((name) => name.endsWith('.zip'))
  const metrics = await measureLocalRun(spec, folder)
  return { spec, head: restoredHead(spec, events), dir, metrics, bundle: bundle ? join(dir, bundle) : null, folder }
}

const refusedFolder = (dir: string, why: string, cause?: unknown) => new RunRefused('validation', '', `${dir} ${why}`, why, { cause })

function openKept(dir: string, mode: 'append' | 'read'): KeptRun {
  try {
    return reopenRunFolder(dir, mode)
  } catch (cause) {
    throw refusedFolder(dir, 'is not the folder of a local run, or is damaged.', cause)
  }
}

function readKept(dir: string): KeptRun {
  const kept = openKept(dir, 'append')
  const { status } = restoredHead(kept.spec, kept.events)
  if (status === 'canceled') throw refusedFolder(dir, 'holds a run that was canceled; start it anew.')
  if (isTerminal(status) && readdirSync(dir).some((name) => name.endsWith('.zip')))
    throw refusedFolder(dir, `holds a run that has ended (${status}).`)
  return kept
}

type Means = { key: SigningKey; served: ServedModel; dataset: DatasetEnv; sandboxes: LocalSandboxes }

/** Works until the run comes to rest, measures it, and signs what reached its end. Closes the folder. */
async function conclude(run: Opened, { key, served, dataset, sandboxes }: Means, options: LocalSurroundings): Promise<LocalRunResult> {
  const { spec, folder } = run
  try {
    const gateOf = (id: string) => ownRateGate(served.providers.find((one) => one.id === id)?.rate_limit ?? null)
    const before = restoredHead(spec, run.events ?? [])
    const store = openFolderStore(artifactsDir(folder.dir))
    const kept = { artifactsOf: () => store, replayOf: async () => readKeptReplay(folder.dir) }
    const equip = createEquip({
      ...{ providers: served.providers, env: dataset, slots: spec.concurrency, gateOf, ...kept },
      measuredBy: () => ({ agent: 'local', place: options.env.BENCH_PLACE?.slice(0, 120) || null }),
      sandboxes: async () => sandboxes,
    })
    const head = isTerminal(before.status) ? before : await work(run, equip, options)
    onDisk(() => folder.saveHead(head))
    const metrics = await measureLocalRun(spec, folder)
    const signs = isTerminal(head.status) && head.status !== 'canceled'
    const bundle = signs
      ? await signLocalRun({ spec, head, metrics }, folder, key, options.env.VERSION || codeVersion()).catch(unwritable)
      : null
    return { spec, head, dir: folder.dir, metrics, bundle }
  } finally {
    folder.close()
  }
}

function onDisk<T>(write: () => T): T {
  try {
    return write()
  } catch (error) {
    return unwritable(error)
  }
}

function unwritable(cause: unknown): never {
  if (cause instanceof RunRefused) throw cause
  throw new ResultsUnwritable(`The results could not be written: ${cause instanceof Error ? cause.message : cause}`, { cause })
}

async function freeze(options: AskedHere, served: ServedModel, dataset: DatasetEnv): Promise<RunSpec> {
  const overrides = await describeOverrides(dataset)
  if (!overrides.ok) throw new RunRefused('validation', '/data', overrides.failure.detail)
  const { subset, profile, data, concurrency } = options
  const request: CreateRun = {
    ...options.request,
    selected_benchmarks: options.benchmarks,
    subset_pct: subset.pct,
    subset_count: subset.count,
    subset_seed: subset.seed,
    sampling: subset.sampling,
    profile,
    data,
    concurrency,
  }
  const dataFor = createDataChoice(cards, await sampleIdentities(dataset.benchmarksDir), overrides.value)
  const providerOf = (id: string) => served.providers.find((one) => one.id === id)
  const invented = (id: string) => served.providers.some((one) => one.id === id && defOf(one).invented)
  const offer = { cards, dataFor, helperFor: served.helperFor, providerOf, invented, newId: randomUUID, now: () => new Date() }
  const model = request.price ? { ...served.model, price: request.price } : served.model
  return buildSpec(
    request,
    model,
    { id: 'local', own_credential: false },
    { ...offer, itemsOf: await openLists(request, model, offer, dataset) },
  )
}

/** Opened before the first request, so that nothing is paid for that could not be signed. */
function signingKey(out: string, configured: string | undefined): SigningKey {
  try {
    return openLocalKey(out, configured)
  } catch (cause) {
    if (!(cause instanceof BadKey)) throw cause
    const source = configured?.trim() ? 'BENCH_SIGNING_PRIVATE_KEY' : join(out, 'signing-key')
    throw new RunRefused('validation', '', `${source} cannot be used: ${cause.message}.`, cause.message, { cause })
  }
}

/** Executes the run in this process and gives the state it came to rest in. */
async function work({ spec, folder, events: told, untold }: Opened, equip: Equip, options: LocalSurroundings): Promise<RunHead> {
  const rest = Promise.withResolvers<void>()
  expectShortLives()
  const worker = createRunWorker(equip, spec.concurrency, () => rest.resolve())
  const shares = sharesByItself(spec)
  if (shares.length > 0) worker.assign(shares)
  const onState: typeof worker.events.onState = (state) => {
    worker.events.onState(state)
    const { status, parked } = local.head()
    if (status === 'paused' && parked?.until == null) void worker.stop(drainMs)
  }
  const events: StreamedEvent[] = []
  let hear = (event: StreamedEvent): void => void events.push(event)
  const kept = told && { events: told, untold: untold ?? [] }
  const local = openLocalRun({ spec, folder, kept, now: Date.now, onEvent: (event) => hear(event) }, { ...worker.events, onState })
  options.onStart?.({ spec, head: local.head(), dir: folder.dir })
  hear = options.onEvent
  events.forEach(hear)
  const pause = (): void => {
    local.command({ type: 'pause' })
    void worker.stop(0)
  }
  options.signal.addEventListener('abort', pause)
  if (options.signal.aborted) pause()
  try {
    // What the signal tore down while opening data is no error of its own: the run is only paused.
    worker.start(local.coordinator).catch((error: unknown) => options.signal.aborted || rest.reject(error))
    await rest.promise
  } finally {
    options.signal.removeEventListener('abort', pause)
    await local.coordinator.close()
  }
  if (local.broken() !== undefined) unwritable(local.broken())
  return local.head()
}
