import type { AgentPulse } from '#shared/contract/pulse.ts'
import { isTerminal, type RunStatus } from '#shared/contract/run.ts'
import type { Lease } from '#shared/contract/trial.ts'
import { type Clock, within } from '#shared/run/clock.ts'
import type { Share } from '#shared/run/match/fleet.ts'
import { machineBenchmarks } from '#shared/run/match/match-run.ts'
import { patienceMs } from '#shared/run/patience.ts'
import { Bag } from './bag.ts'
import { createBeginTeller } from './begin-teller.ts'
import { tookAnything } from './coordinator/aborted.ts'
import type { Coordinator, CoordinatorEvents, Wish } from './coordinator/port.ts'
import { createLiveTeller } from './live/live-teller.ts'
import { oncePerRound } from './preflight.ts'
import { processClock } from './process-clock.ts'
import { createPulseTeller } from './pulse-teller.ts'
import type { Equip, RunEquipment } from './run-equipment.ts'
import { type Executed, executeTrial, type Halt } from './trial/execute-trial.ts'
import { noResources } from './trial/resources.ts'
import { unforeseen } from './unforeseen.ts'
import { createWorkQueue } from './work-queue.ts'

export type { Equip, RunEquipment } from './run-equipment.ts'

/** A trial under way. */
type InFlight = { lease: Lease; abort: AbortController; done: Promise<void> }

/** Claims that come back empty are repeated after this long: another agent's leases may have run out meanwhile. */
const emptyWaitMs = 500
/** With so many finished trials unacknowledged no more work is taken: the way to the edge is blocked. */
const mostUnacknowledged = 4000

/** So long at least a worker that is let go waits for the trials it gave up to end and for the edge to acknowledge what it reported. */
const farewellMs = 3000
/** So long a worker whose run has ended waits for that: what it reports then is only what it took. */
const lastWordsMs = 25_000

/**
 * Works on one run until it ends, is let go, or the agent drains: claims ahead, keeps `slots` trials in flight, reports, halts the run when
 * nothing of it can succeed. Call `start` once with the connected coordinator; its events are the `events` given here.
 */
export function createRunWorker(equip: Equip, slots: number, onEnd: (reason: string) => void, clock: Clock = processClock) {
  const queue = createWorkQueue(slots)
  const inFlight = new Bag<InFlight>()
  let coordinator: Coordinator | undefined
  let equipment: RunEquipment | undefined
  let state: { status: RunStatus; concurrency: number } = { status: 'running', concurrency: slots }
  let claiming = false
  /** The pre-flight under way: nothing is begun before it has ended. */
  let looking: AbortController | undefined
  const lookOnce = oncePerRound()
  /** What the run's concurrency leaves of what was wished for; all of it until the run has said so. */
  let granted = Number.POSITIVE_INFINITY
  let told = 0
  /** Smaller wishes told so far, those told before the claim under way, and those that the run knew of when it answered the last claim. */
  const shrinks = { told: 0, claimed: 0, heard: 0 }
  let preparing = false
  let stopping = false
  /** The end of its patience, while it finishes what is in flight of a run it has lost. */
  let leaving: (() => void) | undefined
  let over = false
  /** Nobody is there any more who could be told. */
  let gone = false
  /** Shares whose last claim came back empty, with what takes their wait back. */
  const empty = new Map<Share, () => void>()

  const working = (): boolean => !stopping && !leaving && !over && (state.status === 'running' || state.status === 'queued')
  const wished = (): number => Math.min(queue.slots(), state.concurrency)
  const width = (): number => Math.min(wished(), granted)
  const wish = (): Wish => {
    const next = equipment?.ahead && Math.min(queue.slotsFor(machineBenchmarks(coordinator!.spec)), state.concurrency)
    const now = { width: wished(), working: inFlight.size, ...(next && { ahead: next }) }
    told = Math.max(now.width, now.working)
    // Others may have it from the moment on that the run hears this, so what was granted before is not to be used any more.
    if (told < granted && granted !== Number.POSITIVE_INFINITY) {
      granted = told
      shrinks.told++
    }
    return now
  }

  const events: CoordinatorEvents = {
    onState(next) {
      state = next
      if (isTerminal(next.status)) return void end(next.status)
      if (next.status === 'paused') giveBack()
      else void prepare()
      pump()
    },
    onGrant(next, claimed) {
      if (claimed) shrinks.heard = shrinks.claimed
      granted = shrinks.heard === shrinks.told ? next : Math.min(granted, next) // it may have been said before the run heard of the last one
      pump()
    },
    onAhead: (items) => over || equipment?.ahead?.(items),
    onPreflight: (round) => looking || void look(round),
    onDrop(leases) {
      for (const [ordinal, attempt] of leases)
        inFlight.find(({ lease }) => lease.ordinal === ordinal && lease.attempt === attempt)?.abort.abort()
    },
    onWatch: (trials) => over || live.watch(trials),
    onClosed: (reason) => void end(reason),
  }
  const live = createLiveTeller(
    (told) => coordinator?.tellLive?.(told),
    (text) => equipment?.clean?.(text) ?? text,
    clock,
  )

  const beginnings = createBeginTeller((leases) => coordinator!.begin?.(leases), clock)
  /** Gives leases back that were not begun. */
  const giveUp = (leases: Lease[]): void => {
    if (leases.length === 0) return
    beginnings.drop(leases)
    coordinator?.release(leases)
  }
  const giveBack = (): void => giveUp(queue.clear())
  const pump = (): void => {
    if (!equipment || !working()) return settle()
    const next: Lease[] = []
    while (!looking && inFlight.size + next.length < width()) {
      const lease = queue.begin()
      if (!lease) break
      next.push(lease)
    }
    beginnings.begin(next)
    for (const lease of next) begin(lease)
    if (told > wished() && inFlight.size <= wished()) coordinator!.wish?.(wish()) // what it had beyond that is free for others
    if (claiming || looking || coordinator!.backlog() >= mostUnacknowledged) return
    const wanted = queue.wanted(width(), coordinator!.spec.benchmarks, empty)
    if (wanted) void claim(wanted.share, wanted.count)
  }
  const claim = async (share: Share, count: number): Promise<void> => {
    claiming = true
    const asked = wish()
    shrinks.claimed = shrinks.told
    const atOnce = beginnings.isFast()
    const leases = await coordinator!.claim(count, share.benchmarks, asked, atOnce)
    claiming = false
    if (atOnce) beginnings.cover(leases)
    const strange = working() ? queue.add(leases) : leases
    giveUp(strange)
    if (leases.length === strange.length && !over) {
      const cancel = clock.after(emptyWaitMs, () => {
        empty.delete(share)
        pump()
      })
      empty.set(share, cancel)
    }
    pump()
  }
  const begin = (lease: Lease): void => {
    const trial: InFlight = { lease, abort: new AbortController(), done: Promise.resolve() }
    trial.done = work(trial, inFlight.add(trial))
  }
  const work = async ({ lease, abort: { signal } }: InFlight, leave: () => void): Promise<void> => {
    const benchmark = equipment!.benchmarks.get(lease.benchmark)!
    const { model, resources = noResources } = equipment!
    const executed = await executeTrial(lease, benchmark, model, coordinator!.spec.price, signal, { ...resources, live: live.begin })
    leave()
    queue.ended(lease)
    if (!gone) hand(lease, executed, signal.aborted)
    pump()
  }
  /**
   * Hands on what came of a trial. One that was given up counts as what it took, unless its answer was there already; so does one that only
   * halts the run, where it took anything.
   */
  const hand = (lease: Lease, { type, record, halt: stops }: Executed, aborted: boolean): void => {
    if (type === 'halt' && !tookAnything(record)) coordinator!.release([lease])
    else if (type === 'halt' || (aborted && record.failure)) coordinator!.giveUp(record)
    else coordinator!.report(record)
    if (stops && !aborted && !over) halt(stops)
  }
  const halt = ({ failure, until }: Halt): void => {
    giveBack()
    if (state.status === 'paused') return
    state = { ...state, status: 'paused' }
    coordinator!.halt(failure, until)
  }
  const look = async (round: number): Promise<void> => {
    looking = new AbortController()
    const { signal } = looking
    const made = await lookOnce(round, () => equipment?.preflight?.(signal), unforeseen)
    looking = undefined
    if (over) return
    if (made?.halt) {
      giveBack()
      state = { ...state, status: 'paused' }
    }
    if (made) coordinator!.preflight(round, made.found, made.halt)
    pump()
  }
  const prepare = async (): Promise<void> => {
    if (equipment || preparing || !coordinator) return
    preparing = true
    // What is thrown here nobody foresaw: the run says so and waits, where an agent without it would ask for ever or end.
    const opened = await equip(coordinator.spec, coordinator.credential, queue.slots(), coordinator.renewCredential).catch(
      (error: unknown) => ({
        ok: false as const,
        failure: unforeseen(error),
      }),
    )
    preparing = false
    if (over) return void (opened.ok && (await opened.value.close()))
    if (opened.ok) equipment = opened.value
    else halt({ failure: opened.failure, until: null })
    pump()
  }
  let drained: (() => void) | undefined
  const settle = (): void => {
    if (inFlight.size > 0 || claiming) return
    if (stopping) drained?.()
    else if (leaving && !over) void stop(0, lastWordsMs)
  }
  const pulse = (): AgentPulse => ({
    stage: stopping || leaving ? 'leaving' : equipment && !looking ? 'working' : 'preparing',
    models: equipment?.pulse?.() ?? [],
  })
  let teller: { stop(): void } | undefined
  /** Gives up what is in flight, and waits a little until what it took, and all that was reported, is known there. */
  const farewell = async (from: Coordinator, withinMs: number): Promise<void> => {
    const given = inFlight.values()
    if (given.length === 0 && from.backlog() === 0) return
    for (const { abort } of given) abort.abort()
    const told = Promise.all(given.map(({ done }) => done)).then(() => from.drained())
    await within(clock, withinMs, told)
    from.release(inFlight.values().map(({ lease }) => lease))
  }
  let ending: Promise<void> | undefined
  /** Ends the worker, once; whoever asks again waits with the first. */
  const end = (reason: string, withinMs = lastWordsMs): Promise<void> => {
    ending ??= leave(reason, withinMs)
    return ending
  }
  const leave = async (reason: string, withinMs: number): Promise<void> => {
    over = true
    looking?.abort()
    teller?.stop()
    live.stop()
    for (const cancel of empty.values()) cancel()
    leaving?.()
    drained?.()
    if (coordinator && reason !== 'replaced' && reason !== 'refused') await farewell(coordinator, withinMs)
    for (const { abort } of inFlight.values()) abort.abort()
    gone = true
    await coordinator?.close()
    await equipment?.close()
    onEnd(reason)
  }

  const stop = async (withinMs: number, lastMs = farewellMs): Promise<void> => {
    stopping = true
    leaving?.()
    giveBack()
    const untilMs = clock.now() + withinMs
    if (inFlight.size > 0 && !over) await within(clock, withinMs, new Promise<void>((resolve) => (drained = resolve)))
    await end('let-go', Math.max(lastMs, untilMs - clock.now()))
  }

  return {
    events,
    async start(connected: Coordinator): Promise<void> {
      // Let go while it connected: a connection that stayed would renew for ever what nobody works on.
      if (over) return connected.close()
      coordinator = connected
      if (connected.pulse_ms !== null) teller = createPulseTeller(pulse, connected.tell, connected.pulse_ms, clock)
      await prepare()
    },
    /** Works by these shares from now on, also where it was about to leave. */
    assign(shares: readonly Share[]): void {
      leaving?.()
      leaving = undefined
      // What this agent will not get to soon is another's to do.
      giveUp(queue.assign(shares))
      pump()
    },
    running: () => inFlight.size,
    /**
     * Takes nothing new, waits for what is in flight at most `withinMs`, hands the rest back, and leaves. What was finished is waited for until
     * the edge has it, so long at least as all this may take.
     */
    stop: (withinMs: number): Promise<void> => stop(withinMs),
    /** The run is another's now: takes nothing new, and leaves once what is in flight has ended, or the patience for it. */
    letGo(): void {
      if (stopping || over || leaving) return
      if (!coordinator) return void stop(0)
      leaving = clock.after(patienceMs(coordinator.spec.benchmarks), () => void stop(0, lastWordsMs))
      giveBack()
      settle()
    },
  }
}

export type RunWorker = ReturnType<typeof createRunWorker>
