import { DatabaseAway, type StoredRun } from '#db/store.ts'
import type { Run } from '#shared/contract/api.ts'
import type { Forecast } from '#shared/contract/forecast.ts'
import { RunId } from '#shared/contract/ids.ts'
import type { RunPulse } from '#shared/contract/pulse.ts'
import { isTerminal, type RunSpec } from '#shared/contract/run.ts'
import type { TeamRight } from '#shared/contract/team-rights.ts'
import { type Audience, type RunView, viewFor } from '#shared/run/audience.ts'
import { mayDo, ownersOf, placeIn, roleProblem } from '../auth/team-access.ts'
import type { Deps, Principal } from '../deps.ts'
import { Problem } from '../problem.ts'

/** Whether this visitor may read the run. Private runs of others do not exist for him; `link` runs open for whoever knows the id. */
export function mayRead(spec: RunSpec, principal: Principal): boolean {
  return spec.visibility !== 'private' || owns(spec, principal) || principal.scopes.includes('admin')
}

/** Whether the run belongs to this visitor or a team of his, with a key that may read. */
export function owns(spec: RunSpec, principal: Principal): boolean {
  return ownersOf(principal).includes(spec.owner_id)
}

/** For whom a run is shown to this visitor. An admin operates the service, but reads the items of his own runs only. */
export function audienceOf(spec: RunSpec, principal: Principal): Audience {
  if (owns(spec, principal)) return 'owner'
  return principal.scopes.includes('admin') ? 'operator' : 'stranger'
}

/** The run in the eyes of this visitor: what routes answer of its state, events and items passes through it. */
export function viewOf(spec: RunSpec, principal: Principal): RunView {
  return viewFor(spec, audienceOf(spec, principal))
}

/** Benchmarks of a run whose item texts this visitor must not see: gated data, real rows, somebody else's run. */
export function withheldBenchmarks(spec: RunSpec, principal: Principal): ReadonlySet<string> {
  return viewOf(spec, principal).withheld
}

/** A run from the record, or the 404 that unknown, malformed and unreadable ids share. */
export async function getRun(run_id: string, principal: Principal, deps: Deps): Promise<StoredRun> {
  if (!RunId.safeParse(run_id).success) throw notFound(run_id)
  return readable(await deps.store.findRun(run_id.toLowerCase()), run_id, principal)
}

/** The same with the live state of a run that has not ended; when the database is away, a living run is served from its object. */
export async function getLiveRun(run_id: string, principal: Principal, deps: Deps): Promise<StoredRun> {
  if (!RunId.safeParse(run_id).success) throw notFound(run_id)
  const id = run_id.toLowerCase()
  try {
    return await withLiveHead(readable(await deps.store.findRun(id), run_id, principal), deps)
  } catch (error) {
    const living = error instanceof DatabaseAway ? await findLiving(id, deps) : undefined
    if (!living) throw error
    return readable(living, run_id, principal)
  }
}

/** Replaces the recorded state of a run that has not ended by its object's. */
export async function withLiveHead(run: StoredRun, deps: Deps): Promise<StoredRun> {
  if (isTerminal(run.head.status)) return run
  const head = await deps.runs.head(run.spec.run_id)
  // Metrics belong to the end that they were recorded at; a run that was opened again has gone past it.
  return head && head.seq >= run.head.seq ? { ...run, head, metrics: {}, arriving: isTerminal(head.status) } : run
}

/** What the agents of a living run do now, in the words this visitor may read; a pulse that cannot be had is no reason to fail. */
export async function pulseOf({ spec, head }: StoredRun, principal: Principal, deps: Deps): Promise<RunPulse | null> {
  if (isTerminal(head.status)) return null
  const pulse = await deps.runs.pulse(spec.run_id).catch(() => null)
  return pulse && viewOf(spec, principal).pulse(pulse)
}

/** Of an ended run whose results are still on their way to the record, how many stand there; null of any other. */
export async function arrivingOf({ spec, head, arriving }: StoredRun, deps: Pick<Deps, 'store'>): Promise<Run['arriving']> {
  if (!arriving) return null
  const recorded = await deps.store.countTrials(spec.run_id).catch(() => 0)
  return { recorded: Math.min(recorded, head.done), done: head.done }
}

/** When living runs are expected to start and to end, by id; a fleet that does not answer is no reason to fail. */
export async function forecastsOf(runs: readonly StoredRun[], deps: Pick<Deps, 'fleet'>): Promise<Record<string, Forecast>> {
  const living = runs.filter(({ head: { status } }) => status === 'queued' || status === 'running').map(({ spec }) => spec.run_id)
  return living.length === 0 ? {} : deps.fleet.forecast(living).catch(() => ({}))
}

const recordWaitMs = 15_000
const recordLookMs = 200

/**
 * An ended run of which the record holds everything. One that has ended while its last results are on their way there is waited for; one
 * that goes on is `export-not-ready`, and a record that does not get whole within 15 s is `unavailable`.
 */
export async function getRecordedRun(found: StoredRun, principal: Principal, deps: Deps): Promise<StoredRun> {
  let run = found
  for (let waitedMs = 0; !isTerminal(run.head.status); waitedMs += recordLookMs) {
    const { status } = (await withLiveHead(run, deps)).head
    if (!isTerminal(status)) throw new Problem('export-not-ready', `The run is ${status}. It can be exported when it has ended.`)
    if (waitedMs >= recordWaitMs)
      throw new Problem('unavailable', 'The run has ended, but its last results are still on their way to the record.', {
        retry_after_s: 5,
      })
    await new Promise((resolve) => setTimeout(resolve, recordLookMs))
    run = await getRun(run.spec.run_id, principal, deps)
  }
  return run
}

/** A run this visitor may command: his own, his team's where his role suffices, or any for an admin. Others' readable runs are 403, unreadable ones 404. */
export async function getOwnRun(run_id: string, right: TeamRight, principal: Principal, deps: Deps): Promise<StoredRun> {
  const run = await getLiveRun(run_id, principal, deps)
  if (mayDo(principal, run.spec.owner_id, right) || principal.scopes.includes('admin')) return run
  const place = placeIn(principal, run.spec.owner_id)
  if (place) throw roleProblem(place, right)
  if (run.spec.visibility === 'private') throw notFound(run_id)
  throw new Problem('forbidden', 'This run belongs to somebody else.')
}

async function findLiving(run_id: string, deps: Deps): Promise<StoredRun | undefined> {
  const [spec, head] = await Promise.all([deps.runs.spec(run_id), deps.runs.head(run_id)])
  return spec && head && { spec, head, metrics: {}, updated_at: deps.now().toISOString() }
}

function readable(run: StoredRun | undefined, run_id: string, principal: Principal): StoredRun {
  if (!run || !mayRead(run.spec, principal)) throw notFound(run_id)
  return run
}

const notFound = (run_id: string) => new Problem('run-not-found', `There is no run ${run_id.slice(0, 80)}, or it is private.`)
