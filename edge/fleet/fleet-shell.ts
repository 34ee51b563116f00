import type { Store } from '#db/store.ts'
import type { Demand } from '#shared/contract/demand.ts'
import { closeCodes, FleetUp } from '#shared/contract/frame.ts'
import type { RunId } from '#shared/contract/ids.ts'
import type { ListedData } from '#shared/contract/item-list.ts'
import type { RunPending } from '#shared/contract/pending.ts'
import type { RunSpec } from '#shared/contract/run.ts'
import type { Clock } from '#shared/run/clock.ts'
import { renewMs } from '#shared/run/lease.ts'
import { type MatchRun, slotsOf } from '#shared/run/match/fleet.ts'
import { matchFleet } from '#shared/run/match/match-fleet.ts'
import { readMatchRun } from '#shared/run/match/match-run.ts'
import { pendingReasons } from '#shared/run/match/pending-reasons.ts'
import type { Log } from '#shared/telemetry/log.ts'
import type { RunProgress, Sum } from '#shared/telemetry/run-progress.ts'
import type { EdgeConfig, FleetAgent, FleetRun } from '../deps.ts'
import { type AgentSocket, agreedProtocol, readFrame, replaceOthers, sendFrame } from '../run/agent-socket.ts'
import type { Sql } from '../run/run-storage.ts'
import { type AgentNames, openAgentNames, type RefusedName } from './agent-names.ts'
import { isNews, keepAgent, noteOf } from './agent-notes.ts'
import { type FleetOps, openFleetOps } from './fleet-ops.ts'
import { type ItemListing, type ItemLists, openItemLists } from './item-lists.ts'
import { type Notes, openNotes } from './notes.ts'
import { createPace } from './pace.ts'
import { openRateShares, type RateBook } from './rate-shares.ts'
import { createReconciler, type Reconciler } from './reconciler.ts'
import { isGivenUp, type Member, openRoster, type Roster, toFleetAgent } from './roster.ts'
import { type Measures, openTallies, type Tallies } from './tallies.ts'
import { openWaits } from './waits.ts'

/** All that a fleet needs of the platform it lives on. */
export type FleetPorts = {
  sql: Sql
  clock: Clock
  store: Pick<Store, 'saveAgent' | 'listOpenRuns'>
  providers: EdgeConfig['providers']
  /** The connections that are open now. */
  sockets(): readonly AgentSocket[]
  /** When a connection was taken in. */
  openedMs(socket: AgentSocket): number
  /** Makes sure that a run's object has its plan, and lets it say where it stands. */
  plan(spec: RunSpec): Promise<void>
  /** Lets a run say where it stands. */
  ask(run_id: string): Promise<void>
  passes: { passOf(sent: { run_id: string; session: string; agent_id: string }): string }
  /** Work that may end after the answer. */
  later(work: Promise<unknown>): void
  log: Log
}

/** The agents of one pool and the runs that have work, on any platform: says which agent works on which run, nothing else. */
export class FleetShell {
  readonly #ports: FleetPorts
  readonly #runs = new Map<string, MatchRun>()
  readonly #roster: Roster
  readonly #notes: Notes
  readonly #tallies: Tallies
  readonly #rates: RateBook
  readonly #names: AgentNames
  readonly #reconciler: Reconciler
  readonly #pace: ReturnType<typeof createPace>
  readonly #waits = openWaits()
  readonly #lists: ItemLists
  readonly ops: FleetOps
  #expiryMs = 0

  constructor(ports: FleetPorts) {
    const { sql, clock, store, providers, plan, ask } = ports
    this.#ports = ports
    sql.exec('CREATE TABLE IF NOT EXISTS run (run_id TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID')
    for (const { body } of sql.exec<{ body: string }>('SELECT body FROM run')) {
      const run = readMatchRun(body)
      this.#runs.set(run.run_id, run)
    }
    this.#roster = openRoster(sql, ports.sockets(), clock.now())
    this.#notes = openNotes(sql)
    this.#tallies = openTallies(sql)
    this.#names = openAgentNames(sql)
    this.ops = openFleetOps({
      sql,
      clock,
      roster: this.#roster,
      runs: this.#runs,
      tallies: this.#tallies,
      notes: this.#notes,
    })
    this.#rates = openRateShares(sql, providers)
    const atWork = (member: Member) => !member.sign.draining && !isGivenUp(member, clock.now())
    this.#lists = openItemLists(sql, clock, () => [...this.#roster.members()].filter(atWork))
    const listOpen = async () => (await store.listOpenRuns().catch(() => undefined))?.map(({ spec }) => spec)
    this.#reconciler = createReconciler(this.#notes, { listOpen, plan, held: () => this.#runs.keys(), ask, log: ports.log })
    this.#pace = createPace(clock, () => this.#match())
  }

  /** A run tells where it stands; one without open trials keeps its agents until its last lease is reported. */
  update(run: MatchRun, ended: boolean): void {
    const { sql } = this.#ports
    const before = this.#runs.get(run.run_id)
    if (ended ? !before : JSON.stringify(before) === JSON.stringify(run)) return
    if (ended) {
      this.#runs.delete(run.run_id)
      sql.exec('DELETE FROM run WHERE run_id = ?', run.run_id)
    } else {
      this.#runs.set(run.run_id, run)
      sql.exec('INSERT OR REPLACE INTO run VALUES (?, ?)', run.run_id, JSON.stringify(run))
    }
    this.#pace.changed()
  }

  overview(): { agents: FleetAgent[]; runs: FleetRun[]; refused: RefusedName[] } {
    const members = [...this.#roster.members()]
    const given = members.flatMap(({ known, given: some }) => some.map((one) => ({ ...one, agent_id: known.agent_id })))
    const runs = [...this.#runs.values()].map(({ run_id, owner_id, visibility = 'private' }) => {
      const shares = given.filter((one) => one.run_id === run_id)
      const slots = shares.reduce((sum, one) => sum + slotsOf(one.shares), 0)
      return { run_id, owner_id, visibility, agents: shares.length, slots, by: shares.map(({ agent_id }) => agent_id) }
    })
    return { agents: members.filter(({ socket }) => socket).map((member) => this.#shown(member)), runs, refused: this.#names.refused() }
  }

  #shown(member: Member): FleetAgent {
    const agent = toFleetAgent(member)
    return this.ops.isDrained(member) ? { ...agent, draining: true } : agent
  }

  /** How much the open runs could use, and how much of that no agent has. */
  demand(): Demand {
    const given = [...this.#roster.members()].flatMap((member) => member.given)
    const sharesOf = (run_id: string) => given.filter((one) => one.run_id === run_id).flatMap(({ shares }) => shares)
    return this.#waits.look([...this.#runs.values()], sharesOf, this.#ports.clock.now())
  }

  /** Keeps new work from an agent, which finishes what it has, or lets it have work again; false when it is not there. */
  drain(agent_id: string, on: boolean): boolean {
    const found = this.ops.drain(agent_id, on)
    if (found) this.#pace.changed()
    return found
  }

  /** Says why a run has fewer trials under way than it could have. It names every holder; the route hides those that the reader may not see. */
  pending(run_id: string): Pick<RunPending, 'given' | 'reasons'> {
    const nowMs = this.#ports.clock.now()
    const members = [...this.#roster.members()]
    const agents = this.ops.takers(nowMs)
    const given = new Map(members.map((member) => [member.known.session, member.given]))
    const has = members.filter((member) => member.given.some((one) => one.run_id === run_id && slotsOf(one.shares) > 0))
    return { given: has.length, reasons: pendingReasons(run_id, [...this.#runs.values()], agents, given) }
  }

  /** The items of a benchmark on given data: from an earlier time, or from an agent that is asked now. */
  listItems(of: ListedData): Promise<ItemListing> {
    return this.#lists.list(of)
  }

  /** Makes an agent's name free for whoever comes next under it; false when nobody has it. */
  forget(agent_id: string): boolean {
    return this.#names.forget(agent_id)
  }

  /** What was kept under a name by `keep`; null before that. */
  note(name: string): string | null {
    return this.#notes.find(name)?.text ?? null
  }

  /** A run tells how it goes, for those who watch the service. */
  tell(progress: RunProgress): void {
    this.#tallies.tell(progress, this.#ports.clock.now())
    this.ops.tell(progress)
  }

  /** Adds what was counted elsewhere. */
  count(sums: readonly Sum[]): void {
    this.#tallies.count(sums)
  }

  measures(): Measures {
    return this.#tallies.read((run_id) => this.#runs.has(run_id), this.#ports.clock.now())
  }

  keep(name: string, text: string): void {
    this.#notes.keep(name, text, this.#ports.clock.now())
  }

  /** What came over an agent's connection. */
  async onMessage(socket: AgentSocket, message: unknown): Promise<void> {
    const frame = readFrame(FleetUp, socket, message)
    if (!frame) return
    if (frame.type === 'hello') return this.#greet(socket, frame)
    const member = this.#roster.memberOf(socket)
    if (member === null) return socket.close(closeCodes.badFrame, 'Say hello first.')
    if (member === undefined) return socket.close(closeCodes.tryAgain, 'You were away for too long: say hello again.')
    const nowMs = this.#ports.clock.now()
    if (frame.type === 'listed') return this.#lists.told(frame, member.known.session)
    if (frame.type === 'sandy') return this.ops.sandy.told(frame.ask, frame.answer)
    if (frame.type === 'rate') return sendFrame(socket, this.#rates.answer(frame, member.known.session, nowMs))
    const { free_slots, running, draining, blocks, usage } = frame
    const other = draining !== member.sign.draining || isGivenUp(member, nowMs)
    this.#roster.heard(member, socket, { free_slots, running, draining, ...(blocks && { blocks }), ...(usage && { usage }) }, nowMs)
    this.#remember(member, true)
    this.ops.look()
    sendFrame(socket, { type: 'heard' }) // The agent's watchdog closes a silent connection.
    if (other || this.#somebodyExpired(nowMs)) this.#pace.changed()
    await this.#reconciler.look(this.#runs.size === 0, nowMs)
  }

  /** An agent's connection is gone; with code 1000 its agent closed it. */
  onClose(socket: AgentSocket, code: number): void {
    const member = this.#roster.memberOf(socket)
    socket.serializeAttachment(null)
    if (!member || member.socket !== socket) return
    this.#remember(member, false)
    this.#roster.left(member, code === 1000, this.#ports.clock.now())
    this.#expiryMs = 0
    if (code === 1000) this.#pace.changed()
  }

  async #greet(socket: AgentSocket, hello: Extract<FleetUp, { type: 'hello' }>): Promise<void> {
    const protocol = agreedProtocol(socket, hello)
    if (protocol === null) return
    const { agent_id, session, host, version, capabilities, slots, secret, resources = null, lists = false } = hello
    const nowMs = this.#ports.clock.now()
    if (!secret) return socket.close(closeCodes.badFrame, 'The agent did not say the secret of its name.')
    if (!this.#names.claim({ agent_id, host, secret }, nowMs))
      return socket.close(closeCodes.nameTaken, `The name ${agent_id} is another agent's.`)
    if (!replaceOthers(this.#ports.sockets(), socket, agent_id, this.#ports.openedMs)) return
    const connected_at = new Date(nowMs).toISOString()
    const known = { agent_id, session, host, version, capabilities, slots, resources, connected_at, ...(lists && { lists }) }
    this.#roster.greet(socket, known, nowMs)
    sendFrame(socket, { type: 'welcome', protocol, heartbeat_ms: renewMs, pool: 'default' })
    const member = this.#roster.memberOf(socket)!
    this.#remember(member, true)
    const had = member.given
    this.#pace.changed()
    if (member.given === had) this.#tell(member) // a new connection knows nothing of what was told over the last
    await this.#reconciler.look(false, nowMs)
  }

  /** Whether somebody has been silent for so long that others are to have its place; looked for only when it can have happened. */
  #somebodyExpired(nowMs: number): boolean {
    if (nowMs < this.#expiryMs) return false
    this.#expiryMs = this.#roster.nextExpiry()
    return nowMs >= this.#expiryMs
  }

  /** Deals out anew, and tells those for whom something has changed. */
  #match(): void {
    const nowMs = this.#ports.clock.now()
    this.#roster.prune(nowMs)
    const members = [...this.#roster.members()]
    const agents = this.ops.takers(nowMs)
    const before = new Map(members.map(({ known, given }) => [known.session, given]))
    const given = matchFleet([...this.#runs.values()], agents, before)
    for (const member of members) {
      const next = given.get(member.known.session) ?? []
      if (JSON.stringify(next) === JSON.stringify(member.given)) continue
      this.#roster.give(member, next)
      this.#tell(member)
    }
    this.#expiryMs = this.#roster.nextExpiry()
    this.demand() // who begins to wait is noted now, not when somebody asks
  }

  #tell({ known: { session, agent_id }, given, socket }: Member): void {
    if (!socket) return
    const runs = given.map(({ run_id, shares }) => ({
      run_id: run_id as RunId, // branded when the run was made
      pass: this.#ports.passes.passOf({ run_id, session, agent_id }),
      shares: shares.map(({ benchmarks, slots }) => ({ benchmarks: [...benchmarks], slots })),
    }))
    sendFrame(socket, { type: 'assign', runs })
  }

  /** The record's list of agents follows; it is for people only, so a database that is away costs nothing here. */
  #remember(member: Member, connected: boolean): void {
    const shown = this.#shown(member)
    const { connected_at, heard_ms: _heard, session: _session, resources: _resources, blocks: _blocks, usage: _usage, ...known } = shown
    const row = { ...known, connected, first_seen: connected_at }
    const nowMs = this.#ports.clock.now()
    if (!isNews(this.#notes, row, nowMs)) return
    keepAgent(this.#notes, row, nowMs)
    const saved = this.#ports.store.saveAgent({ ...row, last_seen: new Date(nowMs).toISOString() }).catch((error: unknown) => {
      this.#notes.drop(noteOf(row))
      this.#ports.log('warn', 'agent not recorded, tried again at its next heartbeat', { error })
    })
    this.#ports.later(saved)
  }
}
