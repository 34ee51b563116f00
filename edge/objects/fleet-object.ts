import { DurableObject } from 'cloudflare:workers'
import type { Demand } from '#shared/contract/demand.ts'
import type { Forecast } from '#shared/contract/forecast.ts'
import type { ListedData } from '#shared/contract/item-list.ts'
import type { RunPending } from '#shared/contract/pending.ts'
import type { SandyAnswer, SandyQuestion } from '#shared/contract/sandy.ts'
import type { MatchRun } from '#shared/run/match/fleet.ts'
import type { RunProgress, Sum } from '#shared/telemetry/run-progress.ts'
import { readConfig } from '../config.ts'
import type { FleetAgent, FleetRun } from '../deps.ts'
import { edgeLog } from '../edge-log.ts'
import type { RefusedName } from '../fleet/agent-names.ts'
import { FleetShell } from '../fleet/fleet-shell.ts'
import type { ItemListing } from '../fleet/item-lists.ts'
import type { LoadSample } from '../fleet/load-ring.ts'
import type { Measures } from '../fleet/tallies.ts'
import type { Env } from './env.ts'
import { objectClock } from './object-clock.ts'
import { openStore } from './open-store.ts'
import { createPasses, passSecret } from './passes.ts'
import { acceptSocket, openedMsIn } from './sockets.ts'

/** The fleet's Durable Object: hands what comes (calls, sockets) to the fleet's shell. */
export class FleetObject extends DurableObject<Env> {
  readonly #shell: FleetShell

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#shell = new FleetShell({
      sql: ctx.storage.sql,
      clock: objectClock,
      // Asked each time for the bindings as they are now.
      store: { saveAgent: (agent) => openStore(this.env).saveAgent(agent), listOpenRuns: () => openStore(this.env).listOpenRuns() },
      providers: readConfig(env).providers,
      sockets: () => ctx.getWebSockets(),
      openedMs: openedMsIn(ctx),
      plan: async (spec) => {
        const run = this.#runOf(spec.run_id)
        await run.create(spec)
        await run.announce()
      },
      ask: (run_id) => this.#runOf(run_id).announce(),
      passes: createPasses(passSecret(env)),
      later: (work) => ctx.waitUntil(work),
      log: edgeLog,
    })
  }

  #runOf(run_id: string) {
    return this.env.RUN.get(this.env.RUN.idFromName(run_id))
  }

  async update(run: MatchRun, ended: boolean): Promise<void> {
    this.#shell.update(run, ended)
  }

  async overview(): Promise<{ agents: FleetAgent[]; runs: FleetRun[]; refused: RefusedName[] }> {
    return this.#shell.overview()
  }

  async demand(): Promise<Demand> {
    return this.#shell.demand()
  }

  async forecast(run_ids: readonly string[]): Promise<Record<string, Forecast>> {
    return this.#shell.ops.forecast(run_ids)
  }

  async load(minutes: number): Promise<LoadSample[]> {
    return this.#shell.ops.load(minutes)
  }

  async askSandy(question: SandyQuestion): Promise<SandyAnswer | null> {
    return this.#shell.ops.sandy.ask(question)
  }

  async drain(agent_id: string, on: boolean): Promise<boolean> {
    return this.#shell.drain(agent_id, on)
  }

  async pending(run_id: string): Promise<Pick<RunPending, 'given' | 'reasons'>> {
    return this.#shell.pending(run_id)
  }

  async listItems(of: ListedData): Promise<ItemListing> {
    return this.#shell.listItems(of)
  }

  async forget(agent_id: string): Promise<boolean> {
    return this.#shell.forget(agent_id)
  }

  async tell(progress: RunProgress): Promise<void> {
    this.#shell.tell(progress)
  }

  async count(sums: readonly Sum[]): Promise<void> {
    this.#shell.count(sums)
  }

  async measures(): Promise<Measures> {
    return this.#shell.measures()
  }

  async note(name: string): Promise<string | null> {
    return this.#shell.note(name)
  }

  async keep(name: string, text: string): Promise<void> {
    this.#shell.keep(name, text)
  }

  override async fetch(request: Request): Promise<Response> {
    return acceptSocket(this.ctx, request, true) ?? new Response(null, { status: 426 })
  }

  override async webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    await this.#shell.onMessage(socket, message)
  }

  override async webSocketClose(socket: WebSocket, code: number): Promise<void> {
    this.#shell.onClose(socket, code)
  }

  override async webSocketError(socket: WebSocket): Promise<void> {
    this.#shell.onClose(socket, 1006)
  }
}
