import { DurableObject } from 'cloudflare:workers'
import type { UnderWay } from '#shared/contract/live.ts'
import type { RunPulse } from '#shared/contract/pulse.ts'
import type { RunHead, RunSpec } from '#shared/contract/run.ts'
import { audiences } from '#shared/run/audience.ts'
import type { RunCommand } from '#shared/run/command.ts'
import { createBudgetsPort } from '../adapters/budget-objects.ts'
import { createSessionsPort } from '../adapters/session-objects.ts'
import { openSeal } from '../auth/seal.ts'
import { readConfig } from '../config.ts'
import { edgeLog } from '../edge-log.ts'
import { isAllowed } from '../provider-keys/own-provider.ts'
import type { ReadersChange } from '../run/change-readers.ts'
import type { ImportedBatch } from '../run/import-results.ts'
import type { LeaseClaim, PassClaim } from '../run/lease-claim.ts'
import { RunShell } from '../run/run-shell.ts'
import type { Env } from './env.ts'
import { objectClock } from './object-clock.ts'
import { openStore } from './open-store.ts'
import { createPasses, passSecret } from './passes.ts'
import { acceptSocket, openedMsIn } from './sockets.ts'

const streamHeaders = { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' }

/** One run's Durable Object: hands what comes (calls, sockets, streams, the alarm) to the run's shell. */
export class RunObject extends DurableObject<Env> {
  readonly #shell: RunShell

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#shell = new RunShell({
      storage: ctx.storage,
      store: openStore(env),
      clock: objectClock,
      sockets: () => ctx.getWebSockets(),
      openedMs: openedMsIn(ctx),
      fleet: {
        update: async (run, ended) => env.FLEET.getByName('default').update(run, ended),
        tell: async (progress) => env.FLEET.getByName('default').tell(progress),
      },
      passes: createPasses(passSecret(env)),
      seal: openSeal(env.MASTER_KEY),
      sessions: createSessionsPort(env.SESSION),
      mayAsk: (base_url) => isAllowed(base_url, readConfig(env)),
      budgets: createBudgetsPort(env.BUDGET),
      log: edgeLog,
    })
  }

  async create(spec: RunSpec, sealed?: string | null): Promise<RunHead> {
    return this.#shell.create(spec, sealed)
  }

  async takeIn(spec: RunSpec, batch: ImportedBatch): Promise<RunHead> {
    return this.#shell.takeIn(spec, batch)
  }

  async head(): Promise<RunHead | null> {
    return this.#shell.head()
  }

  async spec(): Promise<RunSpec | null> {
    return this.#shell.spec()
  }

  async changeReaders(change: ReadersChange): Promise<void> {
    return this.#shell.changeReaders(change)
  }

  async pulse(): Promise<RunPulse | null> {
    return this.#shell.pulse()
  }

  async underWay(): Promise<UnderWay> {
    return this.#shell.underWay()
  }

  async command(command: RunCommand, sealed?: string | null): Promise<{ head: RunHead } | { refused: string } | null> {
    return this.#shell.command(command, sealed)
  }

  async wasSent(claim: PassClaim): Promise<boolean | null> {
    return this.#shell.wasSent(claim)
  }

  async holdsLease(claim: LeaseClaim): Promise<boolean | null> {
    return this.#shell.holdsLease(claim)
  }

  async announce(): Promise<void> {
    return this.#shell.announce()
  }

  /** A WebSocket of an agent, or the event stream of a viewer. */
  override async fetch(request: Request): Promise<Response> {
    const upgraded = acceptSocket(this.ctx, request, this.#shell.head() !== null)
    if (upgraded) return upgraded
    const { searchParams, pathname } = new URL(request.url)
    if (pathname.endsWith('/live')) return this.#watch(searchParams)
    const audience = audiences.find((one) => one === searchParams.get('audience')) ?? 'stranger'
    const { readable, writable } = new IdentityTransformStream()
    if (!this.#shell.follow(writable.getWriter(), searchParams.get('cursor'), audience, searchParams.get('pulse') === '1'))
      return new Response(null, { status: 404 })
    return new Response(readable, { headers: streamHeaders })
  }

  /** The stream of one trial while it runs. */
  #watch(asked: URLSearchParams): Response {
    const { readable, writable } = new IdentityTransformStream()
    const name = { benchmark: asked.get('benchmark') ?? '', item_id: asked.get('item_id') ?? '', epoch: Number(asked.get('epoch')) }
    const watched = this.#shell.watch(writable.getWriter(), name)
    if (watched !== 'watched') return new Response(null, { status: watched === 'full' ? 429 : 404 })
    return new Response(readable, { headers: streamHeaders })
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

  override async alarm(): Promise<void> {
    await this.#shell.onAlarm()
  }
}
