import type { Blocks } from '#shared/contract/blocks.ts'
import type { Outcome } from '#shared/contract/failure.ts'
import { closeCodes, FleetDown, type FleetUp } from '#shared/contract/frame.ts'
import type { ItemList, ListedData } from '#shared/contract/item-list.ts'
import type { MachineUsage } from '#shared/contract/machine-usage.ts'
import { spoken } from '#shared/contract/protocol.ts'
import type { Resources } from '#shared/contract/resources.ts'
import type { SandyAnswer, SandyQuestion } from '#shared/contract/sandy.ts'
import { every } from '#shared/run/clock.ts'
import { type Share, slotsOf } from '#shared/run/match/fleet.ts'
import { drainMs } from '#shared/run/patience.ts'
import type { Telemetry } from '#shared/telemetry/telemetry.ts'
import type { Presence } from './artifacts/http-store.ts'
import { type Link, processLink } from './coordinator/link.ts'
import { connectRun } from './coordinator/object-coordinator.ts'
import { openSocket, readFrame, strangeFrame } from './coordinator/socket.ts'
import type { RateGate } from './model/rate-gate.ts'
import { createRateDesk } from './rate-desk.ts'
import { createRunWorker, type Equip, type RunWorker } from './run-worker.ts'
import { meterAgent } from './telemetry/meter-agent.ts'
import { meterCoordinator } from './telemetry/meter-coordinator.ts'
import { meterLink } from './telemetry/meter-link.ts'
import { unforeseen } from './unforeseen.ts'

export type AgentOptions = {
  edgeUrl: string
  token: string
  agentId: string
  /** Known to this agent alone: its name stays its own by it. */
  secret: string
  host: string
  version: string
  capabilities: string[]
  slots: number
  /** What it has besides: announced to the fleet. */
  resources?: Resources
  /** Hands on the same with what takes longer to find out, each time that more of it is known; it is announced then. */
  onFound?(hear: (found: Resources) => void): void
  /** Makes runs ready, with the gates of their providers' rate limits, and what this agent is known by to each run now. */
  equip(gateOf: (provider: string) => RateGate, presenceAt: (run_id: string) => Presence): Equip
  /** Lists the items of a benchmark for the service; one without it is never asked to. */
  listItems?(of: ListedData): Promise<Outcome<ItemList>>
  telemetry: Telemetry
  /** The process' own unless said otherwise. */
  link?: Link
  /** How often this program stood still lately. */
  blocks?(): Blocks
  /** Measures the use of the machine; called once a heartbeat. */
  usage?(): MachineUsage
  /** Answers what the fleet asks of its Sandy service; absent where it has none. */
  tellSandy?(question: SandyQuestion): Promise<SandyAnswer>
  /** Hears at every heartbeat, and when the connection is lost, how this agent is. */
  onHealth?(health: AgentHealth): void
}

export type AgentHealth = { connected: boolean; running: number; draining: boolean; blocks?: Blocks }

/** Why an agent ended: it was told to and gave back what it held, or the service will not have it, with the sentence that says who must act. */
export type AgentEnd = { type: 'drained' } | { type: 'refused'; why: string }

/**
 * The fleet agent: dials out to the pool, is told which runs to work on, and works on them until told otherwise.
 * `finished` resolves when it has drained, or when the service refuses it for good. A service that cannot be reached is tried again for ever.
 */
export function startAgent(options: AgentOptions) {
  const { telemetry } = options
  const link = meterLink(options.link ?? processLink, telemetry)
  const session = link.newId()
  const workers = new Map<string, RunWorker>()
  /** What was assigned last: shares by run. */
  let wanted = new Map<string, readonly Share[]>()
  /** The newest pass for each run; a connection that comes back shows it again. */
  const passes = new Map<string, string>()
  let draining = false
  let resources = options.resources
  let announced: Resources | undefined
  let heartbeat: (() => void) | undefined
  let connected = false
  const { promise: finished, resolve: finish } = Promise.withResolvers<AgentEnd>()

  const say = (frame: FleetUp): void => void socket.send(JSON.stringify(frame))
  const rates = createRateDesk(say, link.clock)
  const passTo = (run_id: string): string => passes.get(run_id) ?? ''
  const equip = options.equip(rates.gate, (run_id) => ({ agent_id: options.agentId, session, pass: passTo(run_id) }))
  const running = (): number => [...workers.values()].reduce((sum, worker) => sum + worker.running(), 0)
  meterAgent(telemetry, () => ({ connected, draining, slots: options.slots, working: running() }))
  const stood = (): { blocks?: Blocks } => (options.blocks ? { blocks: options.blocks() } : {})
  const tellHealth = (): void => options.onHealth?.({ connected, running: running(), draining, ...stood() })
  const beat = (): void => {
    tellHealth()
    reconcile() // a run that was left or refused is tried again
    const usage = options.usage?.()
    const free_slots = Math.max(0, options.slots - running())
    say({ type: 'heartbeat', free_slots, running: running(), draining, ...stood(), ...(usage && { usage }) })
  }
  const answerSandy = async ({ ask, question }: Extract<FleetDown, { type: 'sandy' }>): Promise<void> => {
    const answer = await options.tellSandy?.(question).catch((error: unknown) => ({ ok: false as const, why: String(error).slice(0, 300) }))
    if (answer) say({ type: 'sandy', ask, answer })
  }
  const join = (run_id: string, shares: readonly Share[]): void => {
    const slots = slotsOf(shares)
    const dialing = new AbortController()
    const worker = createRunWorker(
      equip,
      slots,
      (reason) => {
        dialing.abort()
        if (workers.get(run_id) === worker) workers.delete(run_id)
        telemetry.log('info', `run ${run_id} ${reason}`, { run_id })
      },
      link.clock,
    )
    worker.assign(shares)
    workers.set(run_id, worker)
    telemetry.log('info', `run ${run_id} joined with ${slots} slots`, { run_id })
    const pass = (): string => passTo(run_id)
    connectRun(
      { edgeUrl: options.edgeUrl, runId: run_id, token: options.token, agentId: options.agentId, session, pass },
      worker.events,
      link,
      dialing.signal,
    )
      .then((coordinator) => worker.start(meterCoordinator(coordinator, telemetry)))
      .catch((error: unknown) => {
        workers.delete(run_id)
        telemetry.log('warn', `run ${run_id} refused: ${error instanceof Error ? error.message : error}`, { run_id })
      })
  }
  const reconcile = (): void => {
    if (draining) return
    for (const [run_id, worker] of workers) {
      const shares = wanted.get(run_id)
      if (shares) worker.assign(shares)
      else worker.letGo()
    }
    for (const [run_id, shares] of wanted) if (!workers.has(run_id)) join(run_id, shares)
  }
  const assign = (runs: Extract<FleetDown, { type: 'assign' }>['runs']): void => {
    wanted = new Map(runs.map((run) => [run.run_id, run.shares]))
    for (const { run_id, pass } of runs) passes.set(run_id, pass)
    for (const run_id of passes.keys()) if (!wanted.has(run_id) && !workers.has(run_id)) passes.delete(run_id)
    reconcile()
  }
  const list = async ({ ask, of }: Extract<FleetDown, { type: 'list' }>): Promise<void> => {
    const listed = await options
      .listItems?.(of)
      .catch((error: unknown) => ({ ok: false as const, failure: unforeseen(error, 'list the items') }))
    if (listed?.ok) say({ type: 'listed', ask, list: listed.value, why: null })
    else say({ type: 'listed', ask, list: null, why: listed?.failure.detail.slice(0, 1000) ?? 'This agent lists no items.' })
  }
  const { edgeUrl, token, agentId, secret, host, version, capabilities, slots } = options
  const greet = (): void => {
    announced = resources
    say({
      type: 'hello',
      ...spoken,
      agent_id: agentId as never,
      session,
      host,
      version,
      capabilities,
      slots,
      secret,
      ...(resources && { resources }),
      ...(options.listItems && { lists: true }),
    })
  }
  const socket = openSocket(
    `${edgeUrl.replace(/^http/, 'ws')}/api/fleet/socket`,
    token,
    {
      onOpen() {
        greet()
        rates.onOpen()
      },
      onFrame(text) {
        const frame = readFrame(FleetDown, text)
        if (!frame) return void stop({ type: 'refused', why: strangeFrame })
        if (frame.type === 'assign') return assign(frame.runs)
        if (frame.type === 'rate') return rates.onGrant(frame)
        if (frame.type === 'heard') return
        if (frame.type === 'list') return void list(frame)
        if (frame.type === 'sandy') return void answerSandy(frame)
        if (!connected) telemetry.log('info', `connected to ${edgeUrl} as ${agentId} with ${slots} slots`)
        connected = true
        if (announced !== resources) greet() // The probes ended between hello and welcome.
        tellHealth()
        heartbeat?.()
        heartbeat = every(link.clock, frame.heartbeat_ms, beat)
      },
      onRetry(why, waitMs) {
        telemetry.log('warn', `${connected ? 'lost' : 'cannot reach'} ${edgeUrl} (${why}), next try in ${secondsText(waitMs)}`)
        connected = false
        tellHealth()
      },
      onClosed(code, reason) {
        connected = false
        void stop({ type: 'refused', why: refusalOf(code, reason, options) })
      },
    },
    link,
  )
  options.onFound?.((found) => {
    resources = found
    if (connected && !draining) greet()
  })
  const stop = async (end: AgentEnd): Promise<void> => {
    if (draining) return
    draining = true
    beat()
    await Promise.all([...workers.values()].map((worker) => worker.stop(drainMs)))
    heartbeat?.()
    rates.stop()
    socket.close()
    finish(end)
  }

  return { finished, drain: () => stop({ type: 'drained' }) }
}

/** What ended the connection for good, and who must act. */
function refusalOf(code: number, reason: string, { agentId, edgeUrl }: Pick<AgentOptions, 'agentId' | 'edgeUrl'>): string {
  switch (code) {
    case closeCodes.replaced:
      return `Another process runs as agent ${agentId}; this one stops. Give each its own --name.`
    case closeCodes.nameTaken:
      return `${reason} Give this agent another --name; if it is the same agent with a new data directory, the operator forgets the old one on the Fleet page.`
    case closeCodes.unauthorized:
      return `${edgeUrl} does not accept this agent token. Its operator has the right one (AGENT_TOKEN), or gives out keys with the scope agents:join.`
    case closeCodes.unknownRun:
      return `There is no fleet to join at ${edgeUrl} (HTTP 404). Check the address.`
    default:
      return reason || `${edgeUrl} ended the connection for good (${code}).`
  }
}

/** A wait as people read it: tenths below a second, whole seconds from there on. */
export const secondsText = (ms: number): string => `${ms < 1000 ? (ms / 1000).toFixed(1) : Math.round(ms / 1000)} s`
export type Agent = ReturnType<typeof startAgent>
