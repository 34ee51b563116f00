import { DurableObject } from 'cloudflare:workers'
import { closeCodes, type FleetDown, FleetUp } from '#shared/contract/frame.ts'
import type { RunSpec } from '#shared/contract/run.ts'
import { leaseMs, renewMs } from '#shared/run/lease.ts'
import { type MatchRun, matchFleet } from '#shared/run/match.ts'
import { readConfig } from '../config.ts'
import type { FleetAgent, FleetRun } from '../deps.ts'
import { agreedProtocol, readFrame, replaceOthers, sendFrame } from '../run/agent-socket.ts'
import { type AgentNames, openAgentNames, type RefusedName } from './agent-names.ts'
import { isNews, keepAgent, noteOf } from './agent-notes.ts'
import type { Env } from './env.ts'
import { type Notes, openNotes } from './notes.ts'
import { openStore } from './open-store.ts'
import { createPasses, passSecret } from './passes.ts'
import { openRateShares, type RateBook } from './rate-shares.ts'
import { createReconciler, type Reconciler } from './reconciler.ts'
import { acceptSocket } from './sockets.ts'

/** Whether an agent was silent for a lease, with its socket open or not: its trials have gone to others, and so does its place. */
const isGivenUp = ({ heard_ms }: FleetAgent, nowMs: number): boolean => heard_ms !== undefined && nowMs - heard_ms >= leaseMs

/** The agents of one pool and the runs that have work: says which agent works on which run, nothing else. */
export class FleetObject extends DurableObject<Env> {
  readonly #notes: Notes
  readonly #rates: RateBook
  readonly #names: AgentNames
  readonly #passes: ReturnType<typeof createPasses>
  readonly #reconciler: Reconciler

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    ctx.storage.sql.exec('CREATE TABLE IF NOT EXISTS run (run_id TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID')
    this.#notes = openNotes(ctx.storage.sql)
    this.#names = openAgentNames(ctx.storage.sql)
    this.#passes = createPasses(passSecret(env))
    this.#rates = openRateShares(ctx.storage.sql, readConfig(env).providers)
    this.#reconciler = createReconciler(this.#notes, { listOpen: () => this.#openInRecord(), plan: (spec) => this.#plan(spec) })
  }

  /** A run tells where it stands; one without open trials keeps its agents until its last lease is reported. */
  async update(run: MatchRun, ended: boolean): Promise<void> {
    const { sql } = this.ctx.storage
    if (ended) sql.exec('DELETE FROM run WHERE run_id = ?', run.run_id)
    else sql.exec('INSERT INTO run VALUES (?, ?) ON CONFLICT (run_id) DO UPDATE SET body = excluded.body', run.run_id, JSON.stringify(run))
    this.#assign()
  }

  async overview(): Promise<{ agents: FleetAgent[]; runs: FleetRun[]; refused: RefusedName[] }> {
    const assigned = this.#match()
    const runs = this.#runs().map(({ run_id, owner_id, visibility = 'private' }) => {
      const slots = [...assigned.values()].flatMap((rows) => rows.filter((row) => row.run_id === run_id).map((row) => row.slots))
      return { run_id, owner_id, visibility, agents: slots.length, slots: slots.reduce((sum, each) => sum + each, 0) }
    })
    return { agents: this.#agents().map(({ agent }) => agent), runs, refused: this.#names.refused() }
  }

  /** Makes an agent's name free for whoever comes next under it; false when nobody has it. */
  async forget(agent_id: string): Promise<boolean> {
    return this.#names.forget(agent_id)
  }

  /** What was kept under a name by `keep`; null before that. */
  async note(name: string): Promise<string | null> {
    return this.#notes.find(name)?.text ?? null
  }

  async keep(name: string, text: string): Promise<void> {
    this.#notes.keep(name, text, Date.now())
  }

  override async fetch(request: Request): Promise<Response> {
    return acceptSocket(this.ctx, request, true) ?? new Response(null, { status: 426 })
  }

  override async webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    const frame = readFrame(FleetUp, socket, message)
    if (!frame) return
    if (frame.type === 'hello') return this.#greet(socket, frame)
    const agent = socket.deserializeAttachment() as FleetAgent | null
    if (!agent) return socket.close(closeCodes.badFrame, 'Say hello first.')
    if (frame.type === 'rate') return sendFrame(socket, this.#rates.answer(frame, agent.session, Date.now()))
    const { free_slots, running, draining } = frame
    const nowMs = Date.now()
    const given_up = isGivenUp(agent, nowMs)
    socket.serializeAttachment({ ...agent, free_slots, running, draining, heard_ms: nowMs } satisfies FleetAgent)
    this.#remember(socket, true)
    // Answered always: to a silent edge the agent's watchdog would cut the connection.
    if (draining === agent.draining && !given_up) this.#tell(socket, this.#match())
    else this.#assign()
    await this.#reconciler.look(this.#runs().length === 0, Date.now())
  }

  override async webSocketClose(socket: WebSocket): Promise<void> {
    this.#remember(socket, false)
    socket.serializeAttachment(null)
    this.#assign()
  }

  override async webSocketError(socket: WebSocket): Promise<void> {
    await this.webSocketClose(socket)
  }

  async #greet(socket: WebSocket, hello: Extract<FleetUp, { type: 'hello' }>): Promise<void> {
    const protocol = agreedProtocol(socket, hello)
    if (protocol === null) return
    const { type: _type, protocol: _protocol, protocol_min: _min, protocol_max: _max, secret, ...known } = hello
    if (!secret) return socket.close(closeCodes.badFrame, 'The agent did not say the secret of its name.')
    if (!this.#names.claim({ ...known, secret }, Date.now()))
      return socket.close(closeCodes.nameTaken, `The name ${hello.agent_id} is another agent's.`)
    replaceOthers(this.ctx.getWebSockets(), socket, hello.agent_id)
    const agent = {
      ...known,
      free_slots: hello.slots,
      running: 0,
      draining: false,
      connected_at: new Date().toISOString(),
      heard_ms: Date.now(),
    }
    socket.serializeAttachment(agent satisfies FleetAgent)
    sendFrame(socket, { type: 'welcome', protocol, heartbeat_ms: renewMs, pool: 'default' })
    this.#remember(socket, true)
    this.#assign()
    await this.#reconciler.look(false, Date.now())
  }

  #runs(): MatchRun[] {
    return this.ctx.storage.sql
      .exec('SELECT body FROM run')
      .toArray()
      .map((row) => JSON.parse(row.body as string) as MatchRun) // written by `update`
  }

  #agents(): { socket: WebSocket; agent: FleetAgent }[] {
    return this.ctx.getWebSockets().flatMap((socket) => {
      const agent = socket.deserializeAttachment() as FleetAgent | null
      return agent ? [{ socket, agent }] : []
    })
  }

  #match(): ReturnType<typeof matchFleet> {
    return matchFleet(
      this.#runs(),
      this.#agents()
        .map(({ agent }) => agent)
        .filter((agent) => !agent.draining && !isGivenUp(agent, Date.now())),
    )
  }

  #assign(): void {
    const assigned = this.#match()
    for (const { socket } of this.#agents()) this.#tell(socket, assigned)
  }

  #tell(socket: WebSocket, assigned: ReturnType<typeof matchFleet>): void {
    const { session, agent_id } = socket.deserializeAttachment() as FleetAgent
    const runs = (assigned.get(session) ?? []).map((run) => ({
      ...run,
      pass: this.#passes.passOf({ run_id: run.run_id, session, agent_id }),
    }))
    sendFrame(socket, { type: 'assign', runs } as FleetDown) // run ids were branded when the runs were made
  }

  /** The record's list of agents follows; it is for people only, so a database that is away costs nothing here. */
  #remember(socket: WebSocket, connected: boolean): void {
    const agent = socket.deserializeAttachment() as FleetAgent | null
    if (!agent) return
    const { connected_at, heard_ms: _heard, session: _session, ...known } = agent
    const row = { ...known, connected, first_seen: connected_at }
    const now = new Date()
    if (!isNews(this.#notes, row, now.getTime())) return
    keepAgent(this.#notes, row, now.getTime())
    this.ctx.waitUntil(
      openStore(this.env)
        .saveAgent({ ...row, last_seen: now.toISOString() })
        .catch((error: unknown) => {
          this.#notes.drop(noteOf(row))
          console.warn('agent not recorded, tried again at its next heartbeat', error)
        }),
    )
  }

  async #openInRecord(): Promise<RunSpec[] | undefined> {
    const open = await openStore(this.env)
      .listOpenRuns()
      .catch(() => undefined)
    return open?.map(({ spec }) => spec)
  }

  async #plan(spec: RunSpec): Promise<void> {
    const run = this.env.RUN.get(this.env.RUN.idFromName(spec.run_id))
    await run.create(spec)
    await run.announce()
  }
}
