import { createHash } from 'node:crypto'
import type { ArtifactRef } from '#shared/contract/artifact.ts'
import type { Failure, Outcome } from '#shared/contract/failure.ts'
import { defaultLimits } from '#shared/contract/limits.ts'
import type { Message } from '#shared/contract/message.ts'
import { type SandboxNeeds, sandboxKinds } from '#shared/contract/resources.ts'
import { type HelperRole, mapRoles, type Role, rolesOf, roleTitles } from '#shared/contract/role.ts'
import type { PlannedBenchmark } from '#shared/contract/run.ts'
import type { StreamFacts } from '#shared/contract/stream.ts'
import type { Lease } from '#shared/contract/trial.ts'
import { noTrialLimits } from '#shared/contract/trial-limits.ts'
import { addUsage, noUsage, type Price, type Usage } from '#shared/contract/usage.ts'
import type { Clock } from '#shared/run/clock.ts'
import { needsIn } from '#shared/run/match/match-run.ts'
import { longestCall } from '#shared/run/reserve.ts'
import type { Answered, Ask, AskRequest, Completion, HandedOverHere, Kit } from '#shared/solvers/kit.ts'
import { type DoorMeans, openModelDoor } from '../door/open-door.ts'
import type { CallKind } from '../lanes/lanes.ts'
import { type LiveTrial, openLiveTrial } from '../live/live-trial.ts'
import { openDeadline, waitFor } from './deadline.ts'
import { openArtifacts } from './keep-artifacts.ts'
import { type LimitWatch, watchLimits } from './limit-watch.ts'
import { createMachines } from './open-machine.ts'
import { createSandboxes } from './open-sandbox.ts'
import { recordExecs } from './record-execs.ts'
import type { TrialResources } from './resources.ts'
import { openSpending, type Spending } from './spending.ts'
import { openTranscript, type Transcript } from './transcript.ts'
import type { TakePlace, TrialModel } from './trial-model.ts'

/** All that a kit is made from. `first` is what the item says to the tested model. */
export type TrialContext = {
  lease: Lease
  planned: PlannedBenchmark
  model: TrialModel
  helpers: Partial<Record<HelperRole, TrialModel>>
  price: Price | null
  signal: AbortSignal
  first: readonly Message[]
  /** Nothing is hidden where it is left out. */
  hidden?: Kit['hidden']
  resources: TrialResources
  /** Somebody works where it is left out. */
  handedOver?: HandedOverHere | undefined
}

/** A kit, and what the fleet wants to know of the trial when the solver is done. `close` takes everything down that was opened for it; undefined where nothing was. */
export type OpenKit = {
  kit: Kit
  spending: Spending
  transcript: Transcript
  artifacts(): ArtifactRef[]
  close(): Promise<void> | undefined
}

/** The kit of one trial. */
export function createKit(context: TrialContext): OpenKit {
  const { lease, planned, price, signal, resources } = context
  const began = resources.clock.now()
  const now = (): number => resources.clock.now() - began
  const limits = planned.trial_limits ?? noTrialLimits
  const spending = openSpending()
  const transcript = openTranscript(now, context.first)
  const watch = watchLimits(limits, price, spending, resources.clock, longestCall(planned))
  const artifacts = openArtifacts(resources.artifacts, lease, signal)
  const live = openLiveTrial(lease, transcript.steps)
  const unwatched = resources.live?.(live)
  const needs = needsIn(planned).sandbox ?? anySandbox
  let opened: AsyncDisposableStack | undefined
  let sandboxOf: ReturnType<typeof createSandboxes> | undefined
  let machineOf: ReturnType<typeof createMachines> | undefined
  const means = () => ({ ...resources, trial: trialOf(lease, resources) })
  const books = { spending, transcript, watch, live, now }
  const doorMeans = (until_ms: number | null): DoorMeans => ({
    model: resources.tested,
    params: planned.params,
    note: (text) => transcript.add({ type: 'note', text }),
    askUntil(closed) {
      const ask = createAsk({ ...context, signal: AbortSignal.any([signal, closed]) }, books, resources.clock)
      return (request) => ask('model', request)
    },
    left_ms: until_ms === null ? null : until_ms - now(),
  })
  const kit: Kit = {
    ask: createAsk(context, books, resources.clock),
    helpers: mapRoles(rolesOf(planned), ({ model, params, schema }) => ({ model: model.slug, params, schema })),
    params: planned.params,
    limits,
    limit: () => watch.hit(),
    now,
    wait: (ms) => waitFor(resources.clock, ms, signal),
    attempt: lease.attempt,
    seed: () => seedOf(lease),
    signal,
    hidden: context.hidden ?? (async () => ({ ok: true, value: null })),
    async sandbox(spec) {
      if (spec.network && needs.network !== true) return { ok: false, failure: noNetwork(planned.name) }
      opened ??= new AsyncDisposableStack()
      sandboxOf ??= createSandboxes(means(), needs.kinds, opened, watch.pause, signal)
      const sandbox = await sandboxOf(spec)
      return sandbox.ok ? { ok: true, value: recordExecs(sandbox.value, transcript, now) } : sandbox
    },
    async machine(spec) {
      if (spec.network === 'public' && needs.network !== true) return { ok: false, failure: noNetwork(planned.name) }
      opened ??= new AsyncDisposableStack()
      machineOf ??= createMachines(means(), needs, opened, watch.pause, signal)
      return machineOf(spec)
    },
    agent: planned.agent ?? null,
    ...(context.handedOver && { handed_over: context.handedOver }),
    async openDoor(machine, until_ms) {
      opened ??= new AsyncDisposableStack()
      const door = await openModelDoor(machine, doorMeans(until_ms), signal)
      if (door.ok) opened.defer(door.value.close)
      return door
    },
    keep: artifacts.keep,
    transcript: {
      toolCall: ({ id, name, arguments: written }, { result, is_error, took_ms = 0 }) =>
        transcript.add({ type: 'tool_call', took_ms, call_id: id, name: name ?? '', arguments: written, result, is_error }),
      note: (text) => transcript.add({ type: 'note', text }),
    },
    progress: live.say,
    show: live.show,
  }
  const close = (): Promise<void> | undefined => {
    watch.close()
    unwatched?.()
    return opened?.disposeAsync()
  }
  return { kit, spending, transcript, artifacts: artifacts.list, close }
}

/** What holds where a benchmark did not plan a sandbox and its solver asks for one all the same. */
const anySandbox: SandboxNeeds = { kinds: [...sandboxKinds], cpus: 1, memory_mb: 1024, disk_mb: 1024, images: [] }

/** By what a sandbox is known to who looks at the machine. */
const trialOf = (lease: Lease, { run_id }: TrialResources) => (run_id === null ? undefined : { ...lease, run_id })

/** Bounds are of calls to the tested model: helpers are asked as they are needed. */
function callKindOf(planned: PlannedBenchmark, role: Role): CallKind {
  const { timing_sensitive, at_once } = needsIn(planned)
  if (role !== 'model') return { alone: false, bound: null }
  return { alone: timing_sensitive, bound: at_once === undefined ? null : { name: planned.name, most: at_once } }
}

type Books = { spending: Spending; transcript: Transcript; watch: LimitWatch; live: LiveTrial; now(): number }

function createAsk(
  { planned, model, helpers, signal, resources: { lanes } }: TrialContext,
  { spending, transcript, watch, live, now }: Books,
  clock: Clock,
): Ask {
  const plannedRoles = rolesOf(planned)
  const bounded = watch.signal ? AbortSignal.any([signal, watch.signal]) : signal
  /** A call that is timed has its endpoint alone, some are few at once; waiting for its turn is not the trial's time. */
  const placeFor = (role: Role): TakePlace | undefined =>
    lanes
      ? (endpoint, whose) => {
          const kind = callKindOf(planned, role)
          return lanes.callNow(endpoint, kind) ?? lanes.call(endpoint, kind, whose).finally(watch.pause())
        }
      : undefined
  let told = false
  const stopped = (): Answered | null => {
    const hit = watch.hit()
    if (!hit) return null
    if (!told) transcript.add({ type: 'limit', hit })
    told = true
    return { ok: false, limit: hit }
  }
  const ask = async (role: Role, request: AskRequest): Promise<Answered> => {
    const asked = role === 'model' ? model : helpers[role]
    const params = request.params ?? (role === 'model' ? planned.params : plannedRoles[role]?.params)
    if (!asked || !params) return { ok: false, failure: notPlanned(role, planned.name) }
    const stop = role === 'judge' ? null : stopped()
    if (stop) return stop
    const deadline = request.until_ms === undefined || role === 'judge' ? null : openDeadline(clock, request.until_ms - now())
    if (role === 'model') watch.turn()
    const began = now()
    const seen = live.ask(role)
    let usage = noUsage
    let stream: StreamFacts | undefined
    const onCall = (used: Usage, came?: StreamFacts): void => {
      usage = addUsage(usage, used)
      stream = came
      spending.called(role, used, came)
    }
    const record = (reply: Completion | null, failure: Failure | null): void => {
      const tools = request.tools?.map((tool) => tool.name)
      transcript.add(
        {
          type: 'model_call',
          role,
          took_ms: now() - began,
          ...transcript.fresh(role, request.messages),
          ...(tools && { tools }),
          reply: reply && replyOf(reply),
          ttft_ms: reply?.ttft_ms ?? null,
          ...(stream && { stream }),
          usage,
          ...(reply?.aside && { aside: reply.aside }),
          failure,
        },
        began,
      )
      seen.end(transcript.steps.length - 1)
    }
    const { schema = null, tools, tool_choice, messages } = request
    let outcome: Outcome<Completion>
    try {
      const sent = { messages, params, schema, ...(tools && { tools }), ...(tool_choice && { tool_choice }) }
      const limits = planned.limits ?? defaultLimits
      outcome = await asked.generate(
        sent,
        role === 'judge' ? signal : deadline ? AbortSignal.any([bounded, deadline.signal]) : bounded,
        onCall,
        limits,
        placeFor(role),
        seen.answering,
      )
    } catch (error) {
      // The trial's own time limit, or its solver's, ended the call: what was said until then is the evidence.
      if (signal.aborted || !(watch.signal?.aborted || deadline?.signal.aborted)) throw error
      record(null, null)
      return stopped() ?? { ok: false, limit: { limit: 'seconds', most: request.until_ms! / 1000 } } // the time is the limit that was met
    } finally {
      deadline?.close()
    }
    if (outcome.ok) spending.answered(role, outcome.value)
    const answered = outcome.ok || role === 'model' ? outcome : { ok: false as const, failure: failureOf(role, outcome.failure) }
    record(answered.ok ? answered.value : null, answered.ok ? null : answered.failure)
    return answered
  }
  return ask as Ask // a judge is never asked for a limit, so that its answers hold none
}

function replyOf({ text, reasoning, finish_reason, tool_calls }: Completion) {
  return { text, reasoning, finish_reason, ...(tool_calls && tool_calls.length > 0 && { tool_calls }) }
}

/** A failed call to a helper: the same reasons at another place, so that nobody looks for the cause at the tested model. */
function failureOf(role: HelperRole, failure: Failure): Failure {
  return failure.at === 'provider' ? ({ ...failure, at: role } as Failure) : failure // every place of a helper has a provider's reasons
}

function noNetwork(benchmark: string): Failure {
  const detail = `${benchmark} was not planned with a network in its sandboxes, and asked for one.`
  return { at: 'sandbox', reason: 'denied', retryable: false, status: null, detail }
}

function notPlanned(role: Role, benchmark: string): Failure {
  const detail = `${benchmark} was planned without a ${roleTitles[role].toLowerCase()}.`
  return { at: 'solver', reason: 'error', retryable: false, status: null, detail }
}

/** The same for every attempt at an item and epoch, on any machine: 32 bits of a SHA-256. */
function seedOf({ benchmark, item_id, epoch }: Lease): number {
  return createHash('sha256')
    .update(JSON.stringify([benchmark, item_id, epoch]))
    .digest()
    .readUInt32BE(0)
}
