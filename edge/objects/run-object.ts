import { DurableObject } from 'cloudflare:workers'
import type { RunEvent } from '#shared/contract/event.ts'
import { closeCodes, RunUp } from '#shared/contract/frame.ts'
import { isTerminal, type RunHead, type RunSpec } from '#shared/contract/run.ts'
import { initialHead } from '#shared/run/apply.ts'
import { audiences, viewFor } from '#shared/run/audience.ts'
import type { Command, RunCommand } from '#shared/run/command.ts'
import { refusal } from '#shared/run/decide.ts'
import { leaseMs, renewMs } from '#shared/run/lease.ts'
import { nextWake } from '#shared/run/wake.ts'
import { openSeal } from '../auth/seal.ts'
import { createDrain } from './drain.ts'
import type { Env } from './env.ts'
import { openLiveRun } from './live-run.ts'
import { openStore } from './open-store.ts'
import { openCredential } from './run-credential.ts'
import { answerFrame, closings, forMatching, stateOf } from './run-frames.ts'
import { noReport, type Report } from './run-records.ts'
import { acceptSocket, type Held, isLastOf, readFrame, replaceOthers, sendFrame, speaksOurs } from './sockets.ts'
import { createViewers } from './viewers.ts'
import { createWakeUp } from './wake-up.ts'

/** One run while it lives: a shell that lets agents and viewers at the pure core, wakes it, and lets its results leave for Postgres. */
export class RunObject extends DurableObject<Env> {
  readonly #live: ReturnType<typeof openLiveRun>
  readonly #viewers: ReturnType<typeof createViewers>
  readonly #drain: ReturnType<typeof createDrain>
  readonly #wakeUp: ReturnType<typeof createWakeUp>

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#live = openLiveRun(ctx.storage)
    this.#wakeUp = createWakeUp(ctx.storage)
    this.#viewers = createViewers({
      events: (after, limit) => this.#live.rows.events(after, limit),
      see: (audience) => viewFor(this.#live.rows.spec()!, audience),
      last: () => ({ seq: this.#head?.seq ?? 0, ended: this.#head !== undefined && isTerminal(this.#head.status) }),
    })
    this.#drain = createDrain(this.#live.rows, openStore(env), console.error, () => this.#viewers.flush())
  }

  get #head(): RunHead | undefined {
    return this.#live.head()
  }

  /** Plans the run; a second call with the same run changes nothing. */
  async create(spec: RunSpec): Promise<RunHead> {
    if (!this.#head) {
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

  async command(command: RunCommand): Promise<{ head: RunHead } | { refused: string } | null> {
    if (!this.#head) return null
    const refused = refusal(this.#head, command)
    if (refused) return { refused }
    const ended = isTerminal(this.#head.status)
    this.#run(command)
    await this.announce()
    // The record says that the run has ended, and readers believe it: it must hear first that it goes on.
    if (ended) await this.#drain.run()
    return { head: this.#head }
  }

  override async fetch(request: Request): Promise<Response> {
    const upgraded = acceptSocket(this.ctx, request, this.#head !== undefined)
    if (upgraded) return upgraded
    if (!this.#head) return new Response(null, { status: 404 })
    const { searchParams } = new URL(request.url)
    const audience = audiences.find((one) => one === searchParams.get('audience')) ?? 'stranger'
    return this.#viewers.answer(searchParams.get('cursor'), audience, this.#head, initialHead(this.#live.rows.spec()!))
  }

  override async webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    const frame = readFrame(RunUp, socket, message)
    if (!frame) return
    if (frame.type === 'hello') return this.#greet(socket, frame)
    const { session } = (socket.deserializeAttachment() ?? {}) as Partial<Held>
    if (!session) return socket.close(closeCodes.badFrame, 'Say hello first.')
    const answer = answerFrame(frame, session, this.#live, (command, report) => this.#run(command, report))
    if (typeof answer === 'string') return socket.close(closings[answer].code, closings[answer].reason)
    if (answer) sendFrame(socket, answer)
    if (frame.type === 'leave') return socket.close(1000, 'Bye.')
    if (frame.type === 'halt' || (frame.type === 'report' && isTerminal(this.#head!.status))) await this.announce()
  }

  override async webSocketClose(socket: WebSocket, code: number): Promise<void> {
    const { session } = (socket.deserializeAttachment() ?? {}) as Partial<Held>
    if (session && this.#head && code !== closeCodes.replaced && isLastOf(this.ctx, socket, session)) this.#run({ type: 'closed', session })
  }

  override async webSocketError(socket: WebSocket): Promise<void> {
    await this.webSocketClose(socket, 1006)
  }

  override async alarm(): Promise<void> {
    await this.#wakeUp.rearm(Date.now())
    if (!this.#head) return
    try {
      this.#run({ type: 'tick' })
      await this.#drain.run()
    } catch (error) {
      console.error('alarm', error)
    }
    await this.#wakeUp.settle(nextWake(this.#head, this.#drain.pending(), Date.now()), this.#drain.retryAt())
  }

  async #greet(socket: WebSocket, hello: Extract<RunUp, { type: 'hello' }>): Promise<void> {
    if (!speaksOurs(socket, hello.protocol)) return
    const spec = this.#live.rows.spec()
    if (!spec) return socket.close(closeCodes.unknownRun, 'This object holds no such run.')
    replaceOthers(this.ctx, socket, hello.agent_id)
    socket.serializeAttachment({ session: hello.session, agent_id: hello.agent_id } satisfies Held)
    let credential: string | null
    try {
      credential = await openCredential(spec, openStore(this.env), openSeal(this.env.MASTER_KEY))
    } catch (error) {
      console.error('credential', error)
      return socket.close(closeCodes.tryAgain, 'The key of this run cannot be read now.')
    }
    this.#run({ type: 'hello', agent_id: hello.agent_id, session: hello.session, holding: hello.holding })
    sendFrame(socket, { type: 'welcome', spec, status: this.#head!.status, lease_ms: leaseMs, renew_ms: renewMs, credential })
    sendFrame(socket, stateOf(this.#head!))
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
