import type { Failure, Outcome } from '#shared/contract/failure.ts'
import type { AgentPulse, ModelPulse } from '#shared/contract/pulse.ts'
import { isTerminal, type RunSpec, type RunStatus } from '#shared/contract/run.ts'
import type { Lease } from '#shared/contract/trial.ts'
import { type Clock, within } from '#shared/run/clock.ts'
import { patienceMs } from '#shared/run/patience.ts'
import type { Coordinator, CoordinatorEvents } from './coordinator/port.ts'
import { executeTrial, type Halt, type OpenedBenchmark, type TrialModel } from './execute.ts'
import { fitRecord } from './fit-record.ts'
import { processClock } from './process-clock.ts'
import { createPulseTeller } from './pulse-teller.ts'

/** Everything a run needs before its first trial. Opening it may fail for the whole run: no data, no official text, no such provider. */
export type RunEquipment = {
  benchmarks: Map<string, OpenedBenchmark>
  model: TrialModel
  /** What the calls to the run's models do now. */
  pulse?(): ModelPulse[]
  close(): Promise<void>
}
/** `credential` gives the owner's key once the first leases have come. */
export type Equip = (spec: RunSpec, credential: () => string | null, width: number) => Promise<Outcome<RunEquipment>>

/** Claims that come back empty are repeated after this long: another agent's leases may have run out meanwhile. */
const emptyWaitMs = 500
/** With so many finished trials unacknowledged no more work is taken: the way to the edge is blocked. */
const mostUnacknowledged = 4000

/** So long a worker that leaves waits for the edge to acknowledge what it reported. */
const farewellMs = 3000

/**
 * Works on one run until it ends, is let go, or the agent drains: claims ahead, keeps `slots` trials in flight, reports, halts the run when
 * nothing of it can succeed. Call `start` once with the connected coordinator; its events are the `events` given here.
 */
export function createRunWorker(equip: Equip, slots: number, onEnd: (reason: string) => void, clock: Clock = processClock) {
  const queue: Lease[] = []
  const inFlight = new Map<string, { lease: Lease; abort: AbortController }>()
  let coordinator: Coordinator | undefined
  let equipment: RunEquipment | undefined
  let state: { status: RunStatus; concurrency: number } = { status: 'running', concurrency: slots }
  let claiming = false
  let preparing = false
  let stopping = false
  /** The end of its patience, while it finishes what is in flight of a run it has lost. */
  let leaving: (() => void) | undefined
  let over = false
  let retry: (() => void) | undefined

  const working = (): boolean => !stopping && !leaving && !over && (state.status === 'running' || state.status === 'queued')
  const width = (): number => Math.min(slots, state.concurrency)

  const events: CoordinatorEvents = {
    onState(next) {
      state = next
      if (isTerminal(next.status)) return void end(next.status)
      if (next.status === 'paused') giveBack()
      else void prepare()
      pump()
    },
    onDrop(leases) {
      for (const [ordinal, attempt] of leases) inFlight.get(`${ordinal}:${attempt}`)?.abort.abort()
    },
    onClosed: (reason) => void end(reason),
  }

  const giveBack = (): void => coordinator?.release(queue.splice(0))
  const pump = (): void => {
    if (!equipment || !working()) return settle()
    while (queue.length > 0 && inFlight.size < width()) void work(queue.shift()!)
    const room = 2 * Math.max(width(), 4) - queue.length - inFlight.size
    if (!claiming && retry === undefined && room >= Math.max(1, width() / 2) && coordinator!.backlog() < mostUnacknowledged)
      void claim(room)
  }
  const claim = async (count: number): Promise<void> => {
    claiming = true
    const leases = await coordinator!.claim(count)
    claiming = false
    if (working()) queue.push(...leases)
    else coordinator!.release(leases)
    if (leases.length === 0 && !over) {
      retry = clock.after(emptyWaitMs, () => {
        retry = undefined
        pump()
      })
    }
    pump()
  }
  const work = async (lease: Lease): Promise<void> => {
    const key = `${lease.ordinal}:${lease.attempt}`
    const abort = new AbortController()
    inFlight.set(key, { lease, abort })
    const done = await executeTrial(
      lease,
      equipment!.benchmarks.get(lease.benchmark)!,
      equipment!.model,
      coordinator!.spec.price,
      abort.signal,
    )
    inFlight.delete(key)
    if (!over) {
      if (abort.signal.aborted) coordinator!.release([lease])
      else {
        if (done.type === 'record') coordinator!.report(fitRecord(done.record))
        if (done.halt) halt(done.halt, done.type === 'halt' ? [lease] : [])
      }
    }
    pump()
  }
  const halt = ({ failure, until }: Halt, held: Lease[]): void => {
    coordinator!.release(held)
    giveBack()
    if (state.status === 'paused') return
    state = { ...state, status: 'paused' }
    coordinator!.halt(failure, until)
  }
  const prepare = async (): Promise<void> => {
    if (equipment || preparing || !coordinator) return
    preparing = true
    // What is thrown here nobody foresaw: the run says so and waits, where an agent without it would ask for ever or end.
    const opened = await equip(coordinator.spec, coordinator.credential, slots).catch((error: unknown) => ({
      ok: false as const,
      failure: unforeseen(error),
    }))
    preparing = false
    if (over) return void (opened.ok && (await opened.value.close()))
    if (opened.ok) equipment = opened.value
    else halt({ failure: opened.failure, until: null }, [])
    pump()
  }
  let drained: (() => void) | undefined
  const settle = (): void => {
    if (inFlight.size > 0 || claiming) return
    if (stopping) drained?.()
    else if (leaving && !over) void stop(0)
  }
  const pulse = (): AgentPulse => ({
    stage: stopping || leaving ? 'leaving' : equipment ? 'working' : 'preparing',
    models: equipment?.pulse?.() ?? [],
  })
  let teller: { stop(): void } | undefined
  const end = async (reason: string): Promise<void> => {
    if (over) return
    over = true
    teller?.stop()
    retry?.()
    leaving?.()
    for (const { abort } of inFlight.values()) abort.abort()
    drained?.()
    await coordinator?.close()
    await equipment?.close()
    onEnd(reason)
  }

  const stop = async (withinMs: number): Promise<void> => {
    stopping = true
    leaving?.()
    giveBack()
    if (inFlight.size > 0 && !over) await within(clock, withinMs, new Promise<void>((resolve) => (drained = resolve)))
    if (over) return
    coordinator?.release([...inFlight.values()].map(({ lease }) => lease))
    if (coordinator) await within(clock, farewellMs, coordinator.drained())
    await end('let-go')
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
    /** Works with so many slots from now on, also where it was about to leave. */
    setSlots(next: number): void {
      if (next === slots && !leaving) return
      slots = next
      leaving?.()
      leaving = undefined
      // What this agent will not get to soon is another's to do.
      const surplus = queue.splice(Math.max(width(), 4))
      if (surplus.length > 0) coordinator?.release(surplus)
      pump()
    },
    running: () => inFlight.size,
    /** Takes nothing new, waits for what is in flight at most `withinMs`, hands the rest back, and leaves. */
    stop,
    /** The run is another's now: takes nothing new, and leaves once what is in flight has ended, or the patience for it. */
    letGo(): void {
      if (stopping || over || leaving) return
      if (!coordinator) return void stop(0)
      leaving = clock.after(patienceMs(coordinator.spec.benchmarks), () => void stop(0))
      giveBack()
      settle()
    },
  }
}

function unforeseen(error: unknown): Failure {
  const detail = `This agent could not make the run ready: ${error instanceof Error ? error.message : error}`.slice(0, 2000)
  return { at: 'agent', reason: 'error', retryable: true, status: null, detail }
}

export type RunWorker = ReturnType<typeof createRunWorker>
