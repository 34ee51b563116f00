import { randomUUID } from 'node:crypto'
import { mostAhead } from '#shared/contract/ahead.ts'
import { isPublic, type RunEvent, type StreamedEvent } from '#shared/contract/event.ts'
import type { AgentPulse } from '#shared/contract/pulse.ts'
import type { RunHead, RunSpec } from '#shared/contract/run.ts'
import { briefOf, type Lease, type TrialRecord } from '#shared/contract/trial.ts'
import type { ExportTrial } from '#shared/export/bundle.ts'
import { aheadOf } from '#shared/run/ahead.ts'
import { apply, initialHead, stretchesOf } from '#shared/run/apply.ts'
import type { Command, RunCommand } from '#shared/run/command.ts'
import { createdEvent } from '#shared/run/created-event.ts'
import { decide } from '#shared/run/decide.ts'
import { renewMs } from '#shared/run/lease.ts'
import { machineBenchmarks } from '#shared/run/match/match-run.ts'
import { planTrials } from '#shared/run/plan.ts'
import { isAtPreflight } from '#shared/run/preflight.ts'
import { pulseMs } from '#shared/run/pulse.ts'
import { applyStreamed, fromStreamed, toStreamed } from '#shared/run/stream.ts'
import { createMemoryTrials } from '#shared/run/trial-store.ts'
import { asAborted } from './aborted.ts'
import type { Coordinator, CoordinatorEvents } from './port.ts'
import type { KeptRun, RunFolder } from './run-folder.ts'

export type LocalRunOptions = {
  spec: RunSpec
  folder: Pick<RunFolder, 'append'>
  now(): number
  /** Hears every numbered event once it is kept. */
  onEvent(event: StreamedEvent): void
  /** What an earlier process left of this run. */
  kept?: Pick<KeptRun, 'events' | 'untold'>
  /** Hears what the executor does, at most once a second. */
  onPulse?(pulse: AgentPulse): void
}

/**
 * A run coordinated in this process: the same `decide` and `apply` as the Durable Object, with a folder in place of its storage. Its one
 * executor is told of states after the call that caused them, as over a socket. A folder that cannot be written ends the run with
 * `onClosed('refused')`; `broken` then holds why.
 */
export function openLocalRun({ spec, folder, now, onEvent, onPulse, kept }: LocalRunOptions, events: CoordinatorEvents) {
  const trials = createMemoryTrials(planTrials(spec))
  const session = randomUUID()
  let head = initialHead(spec)
  let broken: unknown
  let closed = false

  const tell = (): void => {
    const { status, concurrency, total, done, leased } = head
    queueMicrotask(() => {
      if (!closed) events.onState({ status, concurrency, open: total - done - leased })
    })
  }
  const store = (decided: RunEvent[], reported?: TrialRecord): void => {
    let next = head
    const streamed: StreamedEvent[] = []
    const finished: ExportTrial[] = []
    for (const event of decided) {
      next = apply(next, event)
      if (isPublic(event)) streamed.push(toStreamed(next.seq, event))
      if (event.event_type === 'benchmark_progress' && reported) finished.push({ record: reported, finished_at: event.at })
    }
    folder.append(finished, streamed)
    for (const event of decided) trials.write(event)
    const changed = next.status !== head.status || next.concurrency !== head.concurrency
    head = next
    for (const event of streamed) onEvent(event)
    if (changed) tell()
  }
  const run = (command: Command, reported?: TrialRecord): RunEvent[] => {
    if (closed || broken !== undefined) return []
    const decided = decide(head, trials, command, now())
    try {
      store(decided, reported)
      return decided
    } catch (error) {
      broken = error
      queueMicrotask(() => events.onClosed('refused', error instanceof Error ? error.message : String(error)))
      return []
    }
  }
  if (kept) {
    head = restoredHead(spec, kept.events)
    for (const streamed of kept.events) {
      const event = fromStreamed(streamed)
      if (event) trials.write(event)
    }
  } else store([createdEvent(spec)])
  run({ type: 'hello', agent_id: 'local', session, holding: [] })
  for (const { record } of kept?.untold ?? []) {
    const leases: [number, number][] = [[record.ordinal, record.attempt]]
    store([{ event_type: 'trials_leased', benchmark_name: null, at: new Date(now()).toISOString(), data: { session, leases } }])
    run({ type: 'report', session, results: [briefOf(record)] })
  }
  if (kept) run({ type: 'resume' })
  tell()
  // Renewed first: after the machine has slept, the only executor there is must not count as lost.
  const clock = setInterval(() => {
    run({ type: 'renew', session })
    run({ type: 'tick' })
  }, renewMs)

  const coordinator: Coordinator = {
    spec,
    credential: () => null,
    async claim(count, benchmarks = [], wish) {
      const among = benchmarks.length > 0 && { benchmarks: [...benchmarks] }
      const claim = { type: 'claim', session, count, ...among, checks: events.onPreflight !== undefined } as const
      const leased = run(claim).find((event) => event.event_type === 'trials_leased')
      if (leased && isAtPreflight(head, session)) events.onPreflight?.(head.preflight!.round)
      if (wish?.ahead) tellAhead(wish.ahead)
      return leased?.event_type === 'trials_leased' ? leased.data.leases.map(([ordinal, attempt]) => leaseOf(ordinal, attempt)) : []
    },
    report(record) {
      run({ type: 'report', session, results: [briefOf(record)] }, record)
    },
    giveUp: (record) => void run({ type: 'report', session, results: [briefOf(asAborted(record))] }),
    backlog: () => 0,
    release: (leases) => void run({ type: 'release', session, leases: leases.map(({ ordinal, attempt }) => [ordinal, attempt]) }),
    halt: (failure, until) => void run({ type: 'halt', session, failure, until }),
    preflight: (round, found, halt) =>
      void run({ type: 'preflight', session, round, found, failure: halt?.failure ?? null, until: halt?.until ?? null }),
    pulse_ms: onPulse ? pulseMs : null,
    tell: (pulse) => onPulse?.(pulse),
    drained: () => Promise.resolve(),
    async close() {
      clearInterval(clock)
      run({ type: 'leave', session })
      closed = true
    },
  }
  /** Its one executor may make ready for all that comes next. */
  const tellAhead = (count: number): void => {
    const nobody = { mine: [], others: [] }
    events.onAhead?.(
      aheadOf(trials, Math.min(count, mostAhead), nobody, trials.leasedTo(session), stretchesOf(head, machineBenchmarks(spec))),
    )
  }
  const leaseOf = (ordinal: number, attempt: number): Lease => {
    const { benchmark, item_id, epoch } = trials.find(ordinal)!
    return { ordinal, attempt, benchmark, item_id, epoch }
  }
  return {
    coordinator,
    head: (): RunHead => head,
    broken: (): unknown => broken,
    command: (command: RunCommand): void => void run(command),
    /** Begins a run that nobody works on here, and takes the results that were given elsewhere in, one by one. */
    begin: (): void => void run({ type: 'import', results: [] }),
    takeIn: (record: TrialRecord): void => void run({ type: 'import', results: [briefOf(record)] }, record),
  }
}

/** Where a run stood by its events; leases and agents ended with the process that held them. */
export function restoredHead(spec: RunSpec, events: readonly StreamedEvent[]): RunHead {
  return { ...events.reduce(applyStreamed, initialHead(spec)), leased: 0, lost: 0, agents: {} }
}
