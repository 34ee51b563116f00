import type { RunEvent } from '#shared/contract/event.ts'
import { closeCodes, type RunUp } from '#shared/contract/frame.ts'
import { mostWatched, type UnderWay } from '#shared/contract/live.ts'
import type { RunPulse } from '#shared/contract/pulse.ts'
import { isTerminal, type RunHead, type RunSpec } from '#shared/contract/run.ts'
import { initialHead } from '#shared/run/apply.ts'
import { type Audience, viewFor } from '#shared/run/audience.ts'
import { within } from '#shared/run/clock.ts'
import type { Command, RunCommand } from '#shared/run/command.ts'
import { refusal } from '#shared/run/decide.ts'
import { leaseMs, renewMs } from '#shared/run/lease.ts'
import { pulseMs } from '#shared/run/pulse.ts'
import type { Allowance } from '#shared/run/spending.ts'
import { drainDelayMs, nextWake } from '#shared/run/wake.ts'
import {
  type AgentSocket,
  agreedProtocol,
  cameBefore,
  findSession,
  type Held,
  isLastOf,
  readRunUp,
  replaceOthers,
  sendFrame,
} from './agent-socket.ts'
import { changeReaders, type ReadersChange } from './change-readers.ts'
import { createDrain } from './drain.ts'
import { findOrdinal, listUnderWay, type TrialName } from './find-trial.ts'
import { createFleetTeller } from './fleet-teller.ts'
import { createImports, type ImportedBatch, importedRefusal } from './import-results.ts'
import { isLeasedTo, type LeaseClaim, type PassClaim } from './lease-claim.ts'
import { openLiveRun } from './live-run.ts'
import { createProgressTeller, type ProgressTeller } from './progress-teller.ts'
import { createPulses } from './pulses.ts'
import { createRunBudgets } from './run-budgets.ts'
import { forgetKeys, keyDeleted, keyOwedTo, withKey } from './run-credential.ts'
import { answerFrame, closings, stateOf, stopsRun } from './run-frames.ts'
import type { RunPorts } from './run-ports.ts'
import { noReport, type Report } from './run-records.ts'
import { createViewers, type ViewerPipe } from './viewers.ts'
import { createWakeUp } from './wake-up.ts'
import { createWatchedTrials, endStream } from './watched-trials.ts'

/** How long one alarm drains; leases that run out wait no longer than this and one batch for the next, however busy the run is. */
const drainSliceMs = 1000

/** One run while it lives, on any platform: lets agents and viewers at the pure core, is woken in time, and lets its results leave for Postgres. */
export class RunShell {
  readonly #ports: RunPorts
  readonly #live: ReturnType<typeof openLiveRun>
  readonly #viewers: ReturnType<typeof createViewers>
  readonly #drain: ReturnType<typeof createDrain>
  readonly #fleet: ReturnType<typeof createFleetTeller>
  readonly #wakeUp: ReturnType<typeof createWakeUp>
  readonly #budgets: ReturnType<typeof createRunBudgets>
  readonly #pulses: ReturnType<typeof createPulses>
  readonly #watched: ReturnType<typeof createWatchedTrials>
  readonly #imports: ReturnType<typeof createImports>
  readonly #teller: ProgressTeller

  constructor(ports: RunPorts) {
    const { storage, store, clock, log } = ports
    this.#ports = ports
    this.#live = openLiveRun(storage)
    this.#imports = createImports(this.#live)
    this.#budgets = createRunBudgets(this.#live, ports.budgets, clock, log)
    this.#wakeUp = createWakeUp(storage)
    this.#teller = createProgressTeller({ clock, rows: this.#live.rows, tell: (progress) => ports.fleet.tell(progress), log })
    this.#fleet = createFleetTeller(this.#live.rows, (run, ended) => ports.fleet.update(run, ended), clock, log)
    this.#pulses = createPulses((session) => this.#live.rows.trials.leasedTo(session).length)
    const source = {
      events: this.#live.rows.events,
      first: this.#live.rows.firstEvent,
      see: (audience: Audience) => viewFor(this.#live.rows.spec()!, audience),
      pulse: () => this.pulse(),
      last: () => ({ seq: this.#head?.seq ?? 0, ended: this.#head !== undefined && isTerminal(this.#head.status) }),
    }
    this.#viewers = createViewers(source, clock)
    this.#watched = createWatchedTrials(
      {
        find: (ordinal) => (isTerminal(this.#head!.status) ? undefined : this.#live.rows.trials.find(ordinal)),
        isConnected: (session) => findSession(ports.sockets(), session) !== undefined,
        say(session, trials) {
          const agent = findSession(ports.sockets(), session)
          if (agent) sendFrame(agent.socket, { type: 'watch', trials })
        },
      },
      clock,
    )
    this.#drain = createDrain(this.#live.rows, store, clock, log, () => this.#viewers.flush())
  }

  get #head(): RunHead | undefined {
    return this.#live.head()
  }

  /** Plans the run; a second call with the same run changes nothing. */
  async create(spec: RunSpec, sealed?: string | null): Promise<RunHead> {
    if (!this.#head) {
      if (sealed) this.#live.rows.saveSeal(sealed)
      this.#live.plan(spec)
      this.#run({ type: 'tick' }) // sets the alarm by which the first event leaves
      void this.#budgets.tell()
      await this.announce()
    } else if (spec.imported) await this.#settle(await this.#drain.run(drainSliceMs)) // the record knows the run from here on
    return this.#head!
  }

  /** Lets results in that were given elsewhere; the first of them plan the run, and it leaves once the last are here. Repeating it changes nothing. */
  async takeIn(spec: RunSpec, batch: ImportedBatch): Promise<RunHead> {
    const head = this.#imports.takeIn(spec, batch)
    await this.#settle(false)
    return head
  }

  head(): RunHead | null {
    return this.#head ?? null
  }

  spec(): RunSpec | null {
    return this.#live.rows.spec() ?? null
  }

  async changeReaders(change: ReadersChange): Promise<void> {
    if (changeReaders(change, this.#live.rows, this.#viewers, this.#watched)) await this.announce()
  }

  /** What its agents do now; null when it has ended or is not known. */
  pulse(): RunPulse | null {
    return this.#head ? this.#pulses.now(this.#head, this.#ports.clock.now()) : null
  }

  async command(command: RunCommand, sealed?: string | null): Promise<{ head: RunHead } | { refused: string } | null> {
    if (!this.#head) return null
    const refused = this.#live.rows.spec()!.imported ? importedRefusal : refusal(this.#head, command)
    if (refused) return { refused }
    const ended = isTerminal(this.#head.status)
    if (ended && this.#live.rows.spec()!.own_credential && !sealed) return { refused: keyDeleted }
    if (sealed) {
      this.#live.rows.saveSeal(sealed)
      forgetKeys(this.#ports.sockets())
    }
    this.#run(command)
    await this.announce()
    // The record says that the run has ended, and readers believe it: it must hear first that it goes on.
    if (ended) await this.#settle(await this.#drain.run(drainSliceMs))
    return { head: this.#head }
  }

  /** Whether the fleet sent this session of an agent here; null when no run is held here. */
  wasSent({ pass, agent_id, session }: PassClaim): boolean | null {
    return this.#head ? this.#ports.passes.holds(pass, { run_id: this.#head.run_id, session, agent_id }) : null
  }

  /** The same, and whether it has this attempt at a trial now. */
  holdsLease(claim: LeaseClaim): boolean | null {
    return this.wasSent(claim) && isLeasedTo(claim, this.#live.rows.trials.find(claim.ordinal))
  }

  /** Lets a viewer follow from its cursor (see `Viewers.follow`); false when no run is held here. */
  follow(pipe: ViewerPipe, cursor: string | null, audience: Audience, pulses: boolean): boolean {
    if (!this.#head) return false
    this.#viewers.follow(pipe, { cursor, audience, pulses }, this.#head, initialHead(this.#live.rows.spec()!))
    return true
  }

  /** Lets a viewer watch one trial until it has ended (see `createWatchedTrials`); says why not where the run has no such trial or too many watch. */
  watch(pipe: ViewerPipe, name: TrialName): 'watched' | 'unknown' | 'full' {
    if (!this.#head) return 'unknown'
    const ordinal = findOrdinal(this.#ports.storage.sql, this.#live.rows.spec()!, name)
    if (ordinal !== undefined) return this.#watched.follow(pipe, ordinal) ? 'watched' : 'full'
    if (!isTerminal(this.#head.status)) return 'unknown'
    endStream(pipe)
    return 'watched'
  }

  /** Trials that its agents have now. */
  underWay(): UnderWay {
    if (!this.#head) return { trials: [], total: 0 }
    return { trials: listUnderWay(this.#ports.storage.sql, mostWatched), total: this.#head.leased }
  }

  /** What came over an agent's connection. */
  async onMessage(socket: AgentSocket, message: unknown): Promise<void> {
    const frame = readRunUp(socket, message)
    if (!frame) return
    const held = socket.deserializeAttachment() as Held | null
    if (cameBefore(socket, held, frame)) return
    if (frame.type === 'hello') return this.#greet(socket, frame)
    if (!held) return socket.close(closeCodes.badFrame, 'Say hello first.')
    const nowMs = this.#ports.clock.now()
    const mayNeedKey = frame.type === 'claim' || (frame.type === 'renew' && held.keyed)
    const refused = frame.type === 'renew' ? frame.refused : undefined
    const key = mayNeedKey ? await keyOwedTo(socket, this.#live, this.#ports, nowMs, (halt) => this.#run(halt), refused) : null
    if (key === undefined && !held.keyed) return socket.close(closeCodes.tryAgain, 'The key of this run cannot be read now.')
    const { session } = held
    this.#pulses.heard(session, nowMs)
    if (frame.type === 'pulse') return this.#pulses.told(session, frame, this.#ports.clock.now())
    if (frame.type === 'live') return this.#watched.told(session, frame)
    const answerIt = (allowed?: Allowance) => answerFrame(frame, session, this.#live, this.#run, this.#ports.clock.now(), allowed)
    const answer = frame.type === 'claim' ? await this.#budgets.within(frame.count, answerIt) : answerIt()
    if (typeof answer === 'string') return socket.close(closings[answer].code, closings[answer].reason)
    if (answer) sendFrame(socket, key ? withKey(answer, key, socket, nowMs) : answer)
    if (frame.type === 'leave') return socket.close(1000, 'Bye.')
    if (stopsRun(frame) || (frame.type === 'report' && isTerminal(this.#head!.status))) await this.announce()
  }

  /** An agent's connection is gone. */
  onClose(socket: AgentSocket, code: number): void {
    const { session } = (socket.deserializeAttachment() ?? {}) as Partial<Held>
    if (session) this.#pulses.gone(session)
    if (session && isLastOf(this.#ports.sockets(), socket, session)) this.#watched.gone(session)
    if (session && this.#head && code !== closeCodes.replaced && isLastOf(this.#ports.sockets(), socket, session))
      this.#run({ type: 'closed', session })
  }

  /** The moment that was set has come. Never throws. */
  async onAlarm(): Promise<void> {
    const { clock, log } = this.#ports
    this.#teller.rang(this.#wakeUp.lateMs(clock.now()))
    await this.#wakeUp.rearm(clock.now())
    if (!this.#head) return
    if (this.#imports.forget(clock.now())) return this.#wakeUp.settle(null)
    let more = false
    try {
      this.#run({ type: 'tick' })
      if (this.#fleet.isDue(clock.now())) void this.announce()
      if (this.#budgets.isDue(clock.now())) void this.#budgets.tell().then(() => this.#wakeUp.soonest(this.#nextWake()))
      const slice = this.#drain.run(drainSliceMs).then((left) => {
        more = left
      })
      // A database that lets itself be waited for holds back no lease: its answer sets the alarm anew.
      const inTime = await within(clock, drainSliceMs, slice)
      if (!inTime) void slice.then(() => this.#settle(more))
    } catch (error) {
      log('error', 'the alarm of a run broke off', { run_id: this.#head.run_id, error })
    }
    await this.#settle(more)
    this.#tell()
  }

  /** Sets the alarm for what is to be done next, whatever stood there: a storage that was given back has lost its alarm. */
  async #settle(more: boolean): Promise<void> {
    await this.#wakeUp.settle(more ? this.#ports.clock.now() : this.#nextWake())
  }

  /** When there is something to do next, if nobody asks before. */
  #nextWake(): number | null {
    if (this.#imports.isHeldBack()) return this.#imports.forgottenMs()
    const nowMs = this.#ports.clock.now()
    // While a batch is on its way its answer wakes the object; should it be lost with the object's memory, this does.
    const waits = this.#drain.isUnderWay() ? nowMs + leaseMs : Math.max(nowMs + drainDelayMs, this.#drain.retryAt())
    const sends = [this.#drain.pending() ? waits : null, this.#fleet.dueMs(nowMs), this.#budgets.dueMs(nowMs)]
    return nextWake(this.#head!, sends, nowMs)
  }

  async #greet(socket: AgentSocket, hello: Extract<RunUp, { type: 'hello' }>): Promise<void> {
    const protocol = agreedProtocol(socket, hello)
    if (protocol === null) return
    const spec = this.#live.rows.spec()
    if (!spec) return socket.close(closeCodes.unknownRun, 'This object holds no such run.')
    const { agent_id, session } = hello
    if (!this.#ports.passes.holds(hello.pass, { run_id: spec.run_id, session, agent_id }))
      return socket.close(closeCodes.unauthorized, 'The fleet did not send this agent here.')
    if (!replaceOthers(this.#ports.sockets(), socket, agent_id, this.#ports.openedMs)) return
    socket.serializeAttachment({ session, agent_id } satisfies Held)
    this.#run({ type: 'hello', agent_id, session, holding: hello.holding })
    const { status } = this.#head!
    const rhythm = { lease_ms: leaseMs, renew_ms: renewMs, pulse_ms: pulseMs }
    sendFrame(socket, { type: 'welcome', protocol, spec, status, ...rhythm })
    sendFrame(socket, stateOf(this.#head!))
    this.#watched.greeted(session)
    this.#pulses.heard(session, this.#ports.clock.now())
  }

  /** One command, stored; then viewers and the alarm know of it. */
  readonly #run = (command: Command, report: Report = noReport): RunEvent[] => {
    const events = this.#live.run(command, report, this.#ports.clock.now())
    this.#viewers.schedule()
    this.#watched.changed(events)
    this.#teller.saw(events, this.#ports.clock.now())
    this.#wakeUp.soonest(this.#nextWake())
    return events
  }

  /** Tells those who watch the service how the run goes, where that is news. */
  #tell(): void {
    if (this.#live.rows.spec()!.imported) return // nobody works on it here
    this.#teller.look(this.#head!, { drain_lag_ms: this.#drain.waitedMs(), viewers: this.#viewers.count() })
  }

  /** Tells every agent of this run, and the fleet, where it stands. */
  async announce(): Promise<void> {
    const state = stateOf(this.#head!)
    for (const socket of this.#ports.sockets()) if (socket.deserializeAttachment()) sendFrame(socket, state)
    this.#tell()
    await this.#fleet.tell()
    this.#wakeUp.soonest(this.#nextWake())
  }
}
