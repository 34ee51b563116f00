import { DurableObject } from 'cloudflare:workers'
import { isPublic, type RunEvent } from '#shared/contract/event.ts'
import { closeCodes, maxFrameChars, protocolVersion, type RunDown, RunUp } from '#shared/contract/frame.ts'
import { isTerminal, type RunHead, type RunSpec } from '#shared/contract/run.ts'
import { briefOf } from '#shared/contract/trial.ts'
import { apply, initialHead } from '#shared/run/apply.ts'
import type { Command, RunCommand } from '#shared/run/command.ts'
import { createdEvent } from '#shared/run/created-event.ts'
import { decide, refusal } from '#shared/run/decide.ts'
import { leaseMs, renewMs } from '#shared/run/lease.ts'
import { toStreamed } from '#shared/run/stream.ts'
import { nextWake } from '#shared/run/wake.ts'
import { createSeal } from '../auth/seal.ts'
import { createDrain, type Drain } from './drain.ts'
import type { Env } from './env.ts'
import { openStore } from './open-store.ts'
import { openCredential } from './run-credential.ts'
import { type Records, recordsFor } from './run-records.ts'
import { openRunRows, type RunRows } from './run-rows.ts'
import { createViewers } from './viewers.ts'

type Attachment = { session: string; agent_id: string }

/** One run while it lives: a shell that stores what `decide` says, tells agents and viewers, and lets results leave for Postgres. */
export class RunObject extends DurableObject<Env> {
  readonly #rows: RunRows
  readonly #viewers: ReturnType<typeof createViewers>
  readonly #drain: Drain
  #alarmAt = Number.POSITIVE_INFINITY

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#rows = openRunRows(ctx.storage)
    this.#viewers = createViewers({
      events: (after, limit) => this.#rows.events(after, limit),
      last: () => ({ seq: this.#head?.seq ?? 0, ended: this.#head !== undefined && isTerminal(this.#head.status) }),
    })
    this.#drain = createDrain(this.#rows, openStore(env), (line) => console.error(line))
    this.#head = this.#rows.head()
  }

  #head: RunHead | undefined

  /** Plans the run; a second call with the same run changes nothing. */
  async create(spec: RunSpec): Promise<RunHead> {
    if (!this.#head) {
      this.ctx.storage.transactionSync(() => {
        this.#rows.plan(spec, initialHead(spec))
        this.#head = this.#store([createdEvent(spec)], initialHead(spec), new Map())
      })
      await this.announce()
    }
    return this.#head!
  }

  async head(): Promise<RunHead | null> {
    return this.#head ?? null
  }

  async spec(): Promise<RunSpec | null> {
    return this.#rows.spec() ?? null
  }

  async command(command: RunCommand): Promise<{ head: RunHead } | { refused: string } | null> {
    if (!this.#head) return null
    const refused = refusal(this.#head, command)
    if (refused) return { refused }
    this.#run(command)
    await this.announce()
    return { head: this.#head }
  }

  override async fetch(request: Request): Promise<Response> {
    if (request.headers.get('upgrade') === 'websocket') {
      const { 0: client, 1: server } = new WebSocketPair()
      if (this.#head) this.ctx.acceptWebSocket(server)
      else {
        server.accept() // one that may hibernate would leave the caller waiting ten seconds for the close
        server.close(closeCodes.unknownRun, 'This object holds no such run.')
      }
      return new Response(null, { status: 101, webSocket: client })
    }
    if (!this.#head) return new Response(null, { status: 404 })
    const cursor = new URL(request.url).searchParams.get('cursor')
    if (cursor === 'latest') return this.#viewers.open(this.#head, this.#head.seq)
    if (cursor !== null) return this.#viewers.open(null, Number(cursor))
    return this.#viewers.open(initialHead(this.#rows.spec()!), 0)
  }

  override async webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    const frame = parseFrame(message)
    if (!frame) return socket.close(closeCodes.badFrame, 'The frame does not fit protocol version 1.')
    if (frame.type === 'hello') return this.#greet(socket, frame)
    const { session } = (socket.deserializeAttachment() ?? {}) as Partial<Attachment>
    if (!session) return socket.close(closeCodes.badFrame, 'Say hello first.')
    switch (frame.type) {
      case 'claim': {
        const leased = this.#run({ type: 'claim', session, count: frame.count }).find((event) => event.event_type === 'trials_leased')
        const leases = leased?.event_type === 'trials_leased' ? this.#rows.leases(leased.data.leases) : []
        return send(socket, { type: 'leases', leases })
      }
      case 'report': {
        const records: Records = new Map(frame.results.map((record) => [record.ordinal, record]))
        const results = frame.results.map((record) => ({ benchmark: record.benchmark, brief: briefOf(record) }))
        const events = this.#run({ type: 'report', session, results }, records)
        send(socket, { type: 'ack', id: frame.id, refused: events.filter((event) => event.event_type === 'attempt_refused').length })
        if (isTerminal(this.#head!.status)) await this.announce()
        return
      }
      case 'halt':
        this.#run({ type: 'halt', session, failure: frame.failure, until: frame.until })
        return this.announce()
      case 'renew':
        this.#run({ type: 'renew', session })
        return send(socket, this.#state())
      case 'release':
        this.#run({ type: 'release', session, leases: frame.leases })
        return
      case 'leave':
        this.#run({ type: 'leave', session })
        return socket.close(1000, 'Bye.')
    }
  }

  override async webSocketClose(socket: WebSocket, code: number): Promise<void> {
    const { session } = (socket.deserializeAttachment() ?? {}) as Partial<Attachment>
    const other = this.ctx
      .getWebSockets()
      .some((each) => each !== socket && (each.deserializeAttachment() as Attachment | null)?.session === session)
    if (session && !other && this.#head && code !== closeCodes.replaced) this.#run({ type: 'closed', session })
  }

  override async webSocketError(socket: WebSocket): Promise<void> {
    await this.webSocketClose(socket, 1006)
  }

  override async alarm(): Promise<void> {
    this.#alarmAt = Date.now() + leaseMs
    await this.ctx.storage.setAlarm(this.#alarmAt)
    if (!this.#head) return
    try {
      this.#run({ type: 'tick' })
      await this.#drain.run()
    } catch (error) {
      console.error('alarm', error)
    }
    const wake = nextWake(this.#head, this.#drain.pending(), Date.now())
    this.#alarmAt = wake === null ? Number.POSITIVE_INFINITY : Math.max(wake, this.#drain.retryAt())
    if (wake === null) await this.ctx.storage.deleteAlarm()
    else await this.ctx.storage.setAlarm(this.#alarmAt)
  }

  async #greet(socket: WebSocket, hello: Extract<RunUp, { type: 'hello' }>): Promise<void> {
    if (hello.protocol !== protocolVersion) {
      return socket.close(
        closeCodes.protocol,
        `This edge speaks protocol ${protocolVersion}, the agent ${hello.protocol}. Upgrade the older one.`,
      )
    }
    const spec = this.#rows.spec()
    if (!spec) return socket.close(closeCodes.unknownRun, 'This object holds no such run.')
    for (const other of this.ctx.getWebSockets()) {
      const held = other.deserializeAttachment() as Attachment | null
      if (other === socket || held?.agent_id !== hello.agent_id) continue
      other.serializeAttachment(null) // a claim still on its way over the old connection would lease trials nobody hears of
      other.close(closeCodes.replaced, 'A newer connection of this agent took over.')
    }
    socket.serializeAttachment({ session: hello.session, agent_id: hello.agent_id } satisfies Attachment)
    let credential: string | null
    try {
      credential = await openCredential(spec, openStore(this.env), createSeal(this.env.MASTER_KEY))
    } catch (error) {
      console.error('credential', error)
      return socket.close(closeCodes.tryAgain, 'The key of this run cannot be read now.')
    }
    this.#run({ type: 'hello', agent_id: hello.agent_id, session: hello.session, holding: hello.holding })
    send(socket, { type: 'welcome', spec, status: this.#head!.status, lease_ms: leaseMs, renew_ms: renewMs, credential })
    send(socket, this.#state())
  }

  /** Decides, stores and folds in one transaction, then lets viewers and the alarm know. */
  #run(command: Command, records: Records = new Map()): RunEvent[] {
    const events = this.ctx.storage.transactionSync(() => {
      const decided = decide(this.#head!, this.#rows.trials, command, Date.now())
      this.#head = this.#store(decided, this.#head!, recordsFor(decided, records, this.#rows))
      return decided
    })
    this.#viewers.schedule()
    const wake = nextWake(this.#head!, this.#drain.pending(), Date.now())
    if (wake !== null && wake < this.#alarmAt) {
      this.#alarmAt = wake
      void this.ctx.storage.setAlarm(wake)
    }
    return events
  }

  #store(events: RunEvent[], from: RunHead, records: Records): RunHead {
    let head = from
    for (const event of events) {
      head = apply(head, event)
      this.#rows.trials.write(event)
      if (isPublic(event)) this.#rows.append(toStreamed(head.seq, event))
      if (event.event_type !== 'benchmark_progress') continue
      for (const { ordinal } of event.data.results) this.#rows.addResult(head.seq, event.at, JSON.stringify(records.get(ordinal)))
    }
    if (events.length) this.#rows.saveHead(head)
    return head
  }

  #state(): RunDown {
    const { status, concurrency, total, done, leased } = this.#head!
    return { type: 'state', status, concurrency, open: total - done - leased }
  }

  /** Tells every agent of this run, and the fleet, where it stands. */
  async announce(): Promise<void> {
    for (const socket of this.ctx.getWebSockets()) if (socket.deserializeAttachment()) send(socket, this.#state())
    const { run_id, owner_id, created_at } = this.#rows.spec()!
    const { status, total, done, concurrency, priority } = this.#head!
    const open = status === 'running' || status === 'queued' ? total - done : 0
    const fleet = this.env.FLEET.get(this.env.FLEET.idFromName('default'))
    try {
      await fleet.update({ run_id, owner_id, created_at, priority, concurrency, open, needs: ['llm'] }, isTerminal(status))
    } catch (error) {
      console.warn('fleet not told, it asks again by itself', error)
    }
  }
}

function parseFrame(message: string | ArrayBuffer): RunUp | undefined {
  if (typeof message !== 'string' || message.length > maxFrameChars) return undefined
  try {
    return RunUp.parse(JSON.parse(message))
  } catch {
    return undefined
  }
}

function send(socket: WebSocket, frame: RunDown): void {
  try {
    socket.send(JSON.stringify(frame))
  } catch {
    // The socket closed while we worked; webSocketClose follows and gives the agent its grace time.
  }
}
