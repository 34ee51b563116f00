import type { Failure, Outcome } from '#shared/contract/failure.ts'
import type { SandboxKind } from '#shared/contract/resources.ts'
import { count } from '#shared/metrics/number-text.ts'
import type { Sandbox, SandboxSpec } from '#shared/solvers/sandbox.ts'
import { type Amount, BeyondPool, type Release } from '../lanes/lane.ts'
import { canBe, weightOf } from '../sandbox/sandbox-room.ts'
import type { SandboxTrial } from '../sandbox/trial-name.ts'
import type { SandboxesOfKind, TrialResources } from './resources.ts'

type Place = { one: SandboxesOfKind; leave: Release }

/**
 * Opens sandboxes for one trial, of the first of `kinds` that has room and can be as asked, each within the agent's room for its kind: the first
 * waits for its turn where none has room, and `waiting` is called around that; a further one is there at once or not at all, as trials that hold
 * some while they wait for more could wait for each other. All of it is given back when `opened` is disposed of, the sandbox before its room.
 * Throws the signal's reason when the trial is given up while it waits.
 */
export function createSandboxes(
  { sandboxes, lanes, trial }: Pick<TrialResources, 'sandboxes' | 'lanes'> & { trial?: SandboxTrial | undefined },
  kinds: readonly SandboxKind[],
  opened: AsyncDisposableStack,
  waiting: () => () => void,
  signal: AbortSignal,
): (spec: SandboxSpec) => Promise<Outcome<Sandbox>> {
  /** The place of the trial's first sandbox, once it has it or waits for it. */
  let first: Promise<unknown> | undefined
  const enter = async (fitting: readonly SandboxesOfKind[], spec: SandboxSpec): Promise<Place | null> => {
    if (!lanes) return { one: fitting[0]!, leave: () => undefined }
    const holds = first ? await first.then(yes, no) : false
    const { place, large } = findRoom(fitting, ({ kind, lane }) => lanes[holds ? 'more' : 'now'](lane, weightOf(kind, spec)))
    if (holds || place) {
      if (place) first ??= Promise.resolve()
      return place
    }
    const [one] = large
    const turn = lanes.enter(one!.lane, weightOf(one!.kind, spec), signal).finally(waiting())
    first = turn
    return { one: one!, leave: await turn }
  }
  return async (spec) => {
    const allowed = sandboxes.filter(({ kind }) => kinds.includes(kind))
    const fitting = allowed.filter(({ kind }) => canBe(kind, spec))
    if (fitting.length === 0) return failed(true, allowed.length > 0 ? unlike(allowed, spec) : noneOf(kinds))
    let place: Place | null
    try {
      place = await enter(fitting, spec)
    } catch (error) {
      if (!(error instanceof BeyondPool)) throw error
      return failed(false, `A sandbox of ${roomText(spec)} is more than this agent has for sandboxes: ${roomText(error.pool)}.`)
    }
    if (!place) return failed(true, `There is no room for another sandbox of ${roomText(spec)} beside those that the trial has.`)
    opened.defer(place.leave)
    const sandbox = await place.one.provider.open(spec, signal, trial)
    if (sandbox.ok) opened.use(sandbox.value)
    return sandbox
  }
}

const yes = (): boolean => true
const no = (): boolean => false

/** The first with room now, or those that will have some; throws `BeyondPool` where all of them together never will. */
function findRoom(fitting: readonly SandboxesOfKind[], take: (one: SandboxesOfKind) => Release | null) {
  const large: SandboxesOfKind[] = []
  let beyond: BeyondPool | undefined
  for (const one of fitting) {
    try {
      const leave = take(one)
      if (leave) return { place: { one, leave }, large }
      large.push(one)
    } catch (error) {
      if (!(error instanceof BeyondPool)) throw error
      beyond ??= error
    }
  }
  if (large.length === 0) throw beyond
  return { place: null, large }
}

const noneOf = (kinds: readonly SandboxKind[]): string =>
  `This agent has no sandbox of a kind that will do (${kinds.join(', ')}): the trial needs another agent.`

const unlike = (allowed: readonly SandboxesOfKind[], { image }: SandboxSpec): string =>
  `This agent's sandboxes (${allowed.map(({ kind }) => kind).join(', ')}) have no ${image === null ? 'network' : 'images'}: the trial needs another agent.`

const roomText = ({ cpus = 0, memory_mb = 0, disk_mb = 0 }: Amount | SandboxSpec): string =>
  `${cpus} CPUs, ${count(memory_mb)} MB of memory${disk_mb > 0 ? ` and ${count(disk_mb)} MB of disk` : ', files included'}`

function failed(retryable: boolean, detail: string): { ok: false; failure: Failure } {
  return { ok: false, failure: { at: 'sandbox', reason: 'unavailable', retryable, status: null, detail } }
}
