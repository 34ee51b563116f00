import { DurableObject } from 'cloudflare:workers'
import type { RunEvent } from '#shared/contract/event.ts'
import { closeCodes, RunUp } from '#shared/contract/frame.ts'
import type { RunPulse } from '#shared/contract/pulse.ts'
import { isTerminal, type RunHead, type RunSpec } from '#shared/contract/run.ts'
import { initialHead } from '#shared/run/apply.ts'
import { audiences, viewFor } from '#shared/run/audience.ts'
import type { Command, RunCommand } from '#shared/run/command.ts'
import { refusal } from '#shared/run/decide.ts'
import { leaseMs, renewMs } from '#shared/run/lease.ts'
import { pulseMs } from '#shared/run/pulse.ts'
import { nextWake } from '#shared/run/wake.ts'
import { openSeal } from '../auth/seal.ts'
import { createDrain } from './drain.ts'
import type { Env } from './env.ts'
import { openLiveRun } from './live-run.ts'
import { openStore } from './open-store.ts'
import { createPasses, passSecret } from './passes.ts'
import { createPulses } from './pulses.ts'
import { isOwedKey, KeyGone, keyDeleted, keyGone, openCredential } from './run-credential.ts'
import { answerFrame, closings, forMatching, stateOf } from './run-frames.ts'
import { noReport, type Report } from './run-records.ts'
import { acceptSocket, agreedProtocol, type Held, isLastOf, readFrame, replaceOthers, sendFrame } from './sockets.ts'
import { createViewers } from './viewers.ts'
import { createWakeUp } from './wake-up.ts'

/** How long one alarm drains; leases that run out wait no longer than this and one batch for the next, however busy the run is. */
const drainSliceMs = 1000

/** One run while it lives: a shell that lets agents and viewers at the pure core, wakes it, and lets its results leave for Postgres. */
export class RunObject extends DurableObject<Env> {
  readonly #live: ReturnType<typeof openLiveRun>
  readonly #viewers: ReturnType<typeof createViewers>
  readonly #drain: ReturnType<typeof createDrain>
  readonly #wakeUp: ReturnType<typeof createWakeUp>
  readonly #passes: ReturnType<typeof createPasses>
  readonly #pulses: ReturnType<typeof createPulses>

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#live = openLiveRun(ctx.storage)
    this.#passes = createPasses(passSecret(env))
    this.#wakeUp = createWakeUp(ctx.storage)
    this.#pulses = createPulses((session) => this.#live.rows.trials.leasedTo(session).length)
    this.#viewers = createViewers({
      events: (after, limit) => this.#live.rows.events(after, limit),
      first: () => this.#live.rows.firstEvent(),
      see: (audience) => viewFor(this.#live.rows.spec()!, audience),
      pulse: () => this.#pulse(),
      last: () => ({ seq: this.#head?.seq ?? 0, ended: this.#head !== undefined && isTerminal(this.#head.status) }),
    })
    this.#drain = createDrain(this.#live.rows, openStore(env), console.error, () => this.#viewers.flush())
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
      await this.announce()
    }
    return this.#head!
  }

  async head(): Promise<RunHead | null> {
    return this.#head ?? null
  }

  async spec(): Promise<RunSpec | null> {
    return this.#live.rows.spec() ?? null
  }

  /** What its agents do now; null when it has ended or is not known. */
  async pulse(): Promise<RunPulse | null> {
    return this.#pulse()
  }

  #pulse(): RunPulse | null {
    return this.#head ? this.#pulses.now(this.#head, Date.now()) : null
  }

  async command(command: RunCommand, sealed?: string | null): Promise<{ head: RunHead } | { refused: string } | null> {
    if (!this.#head) return null
    const refused = refusal(this.#head, command)
    if (refused) return { refused }
    const ended = isTerminal(this.#head.status)
    if (ended && this.#live.rows.spec()!.own_credential && !sealed) return { refused: keyDeleted }
    if (sealed) this.#live.rows.saveSeal(sealed)
    this.#run(command)
    await this.announce()
    // The record says that the run has ended, and readers believe it: it must hear first that it goes on.
    if (ended) await this.#drain.run(drainSliceMs)
    return { head: this.#head }
  }

  override async fetch(request: Request): Promise<Response> {
    const upgraded = acceptSocket(this.ctx, request, this.#head !== undefined)
    if (upgraded) return upgraded
    if (!this.#head) return new Response(null, { status: 404 })
    const { searchParams } = new URL(request.url)
    const audience = audiences.find((one) => one === searchParams.get('audience')) ?? 'stranger'
    const initial = initialHead(this.#live.rows.spec()!)
    return this.#viewers.answer(searchParams.get('cursor'), audience, this.#head, initial, searchParams.get('pulse') === '1')
  }

  override async webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    const frame = readFrame(RunUp, socket, message)
    if (!frame) return
    if (frame.type === 'hello') return this.#greet(socket, frame)
    const key = frame.type === 'claim' ? await this.#keyFor(socket) : null
    if (key === undefined) return socket.close(closeCodes.tryAgain, 'The key of this run cannot be read now.')
    const held = socket.deserializeAttachment() as Held | null
    if (!held) return socket.close(closeCodes.badFrame, 'Say hello first.')
    const { session } = held
    this.#pulses.heard(session, Date.now())
    if (frame.type === 'pulse') return this.#pulses.told(session, frame, Date.now())
    const answer = answerFrame(frame, session, this.#live, (command, report) => this.#run(command, report))
    if (typeof answer === 'string') return socket.close(closings[answer].code, closings[answer].reason)
    if (answer?.type === 'leases' && answer.leases.length > 0 && key !== null) {
      answer.credential = key
      socket.serializeAttachment({ ...held, keyed: true } satisfies Held)
    }
    if (answer) sendFrame(socket, answer)
    if (frame.type === 'leave') return socket.close(1000, 'Bye.')
    if (frame.type === 'halt' || (frame.type === 'report' && isTerminal(this.#head!.status))) await this.announce()
  }

  override async webSocketClose(socket: WebSocket, code: number): Promise<void> {
    const { session } = (socket.deserializeAttachment() ?? {}) as Partial<Held>
    if (session) this.#pulses.gone(session)
    if (session && this.#head && code !== closeCodes.replaced && isLastOf(this.ctx, socket, session)) this.#run({ type: 'closed', session })
  }

  override async webSocketError(socket: WebSocket): Promise<void> {
    await this.webSocketClose(socket, 1006)
  }

  override async alarm(): Promise<void> {
    await this.#wakeUp.rearm(Date.now())
    if (!this.#head) return
    let more = false
    try {
      this.#run({ type: 'tick' })
      more = await this.#drain.run(drainSliceMs)
    } catch (error) {
      console.error('alarm', error)
    }
    const wakeMs = more ? Date.now() : nextWake(this.#head, this.#drain.pending(), Date.now())
    await this.#wakeUp.settle(wakeMs, this.#drain.retryAt())
  }

  async #greet(socket: WebSocket, hello: Extract<RunUp, { type: 'hello' }>): Promise<void> {
    const protocol = agreedProtocol(socket, hello)
    if (protocol === null) return
    const spec = this.#live.rows.spec()
    if (!spec) return socket.close(closeCodes.unknownRun, 'This object holds no such run.')
    const { agent_id, session } = hello
    if (!this.#passes.holds(hello.pass, { run_id: spec.run_id, session, agent_id }))
      return socket.close(closeCodes.unauthorized, 'The fleet did not send this agent here.')
    replaceOthers(this.ctx, socket, agent_id)
    socket.serializeAttachment({ session, agent_id } satisfies Held)
    this.#run({ type: 'hello', agent_id: hello.agent_id, session: hello.session, holding: hello.holding })
    sendFrame(socket, {
      type: 'welcome',
      protocol,
      spec,
      status: this.#head!.status,
      lease_ms: leaseMs,
      renew_ms: renewMs,
      pulse_ms: pulseMs,
    })
    sendFrame(socket, stateOf(this.#head!))
    this.#pulses.heard(session, Date.now())
  }

  /** The owner's key for a session that is about to get its first trials, else null; undefined when it cannot be read now. One that is gone parks the run. */
  async #keyFor(socket: WebSocket): Promise<string | null | undefined> {
    const held = socket.deserializeAttachment() as Held | null
    const spec = this.#live.rows.spec()
    if (!held || !spec || !isOwedKey(spec, this.#head!, held)) return null
    try {
      return await openCredential(spec, this.#live.rows.seal(), openStore(this.env), openSeal(this.env.MASTER_KEY))
    } catch (error) {
      console.error('credential', error)
      if (!(error instanceof KeyGone)) return undefined
      this.#run({ type: 'halt', session: held.session, failure: keyGone, until: null })
      return null
    }
  }

  /** One command, stored; then viewers and the alarm know of it. */
  #run(command: Command, report: Report = noReport): RunEvent[] {
    const events = this.#live.run(command, report, Date.now())
    this.#viewers.schedule()
    this.#wakeUp.soonest(nextWake(this.#head!, this.#drain.pending(), Date.now()))
    return events
  }

  /** Tells every agent of this run, and the fleet, where it stands. */
  async announce(): Promise<void> {
    const head = this.#head!
    for (const socket of this.ctx.getWebSockets()) if (socket.deserializeAttachment()) sendFrame(socket, stateOf(head))
    const told = this.env.FLEET.getByName('default').update(forMatching(this.#live.rows.spec()!, head), isTerminal(head.status))
    await told.catch((error: unknown) => console.warn('fleet not told, it asks again by itself', error))
  }
}
