import { randomUUID } from 'node:crypto'
import { closeCodes, FleetDown, type FleetUp, protocolVersion } from '#shared/contract/frame.ts'
import { connectRun } from './coordinator/object-coordinator.ts'
import { openSocket, readFrame, strangeFrame } from './coordinator/socket.ts'
import type { RateGate } from './model/rate-gate.ts'
import { createRateDesk } from './rate-desk.ts'
import { createRunWorker, type Equip, type RunWorker } from './run-worker.ts'

export type AgentOptions = {
  edgeUrl: string
  token: string
  agentId: string
  host: string
  version: string
  capabilities: string[]
  slots: number
  /** Makes runs ready, with the gates of their providers' rate limits. */
  equip(gateOf: (provider: string) => RateGate): Equip
  log(line: string): void
}

/** Seconds a draining agent waits for answers in flight before it hands their trials back. */
const drainMs = 25_000

/**
 * The fleet agent: dials out to the pool, is told which runs to work on, and works on them until told otherwise.
 * `finished` resolves when it has drained, or when another process took over its identity, with the sentence that says why.
 */
export function startAgent(options: AgentOptions) {
  const session = randomUUID()
  const workers = new Map<string, RunWorker>()
  let draining = false
  let heartbeat: ReturnType<typeof setInterval> | undefined
  let finish: (why: string) => void = () => undefined
  const finished = new Promise<string>((resolve) => (finish = resolve))

  const say = (frame: FleetUp): void => void socket.send(JSON.stringify(frame))
  const rates = createRateDesk(say)
  const equip = options.equip(rates.gate)
  const beat = (): void => {
    const running = [...workers.values()].reduce((sum, worker) => sum + worker.running(), 0)
    say({ type: 'heartbeat', free_slots: Math.max(0, options.slots - running), running, draining })
  }
  const join = (run_id: string, slots: number): void => {
    const worker = createRunWorker(equip, slots, (reason) => {
      if (workers.get(run_id) === worker) workers.delete(run_id)
      options.log(`run ${run_id} ${reason}`)
    })
    workers.set(run_id, worker)
    options.log(`run ${run_id} joined with ${slots} slots`)
    connectRun({ edgeUrl: options.edgeUrl, runId: run_id, token: options.token, agentId: options.agentId, session }, worker.events)
      .then((coordinator) => worker.start(coordinator))
      .catch((error: unknown) => {
        workers.delete(run_id)
        options.log(`run ${run_id} refused: ${error instanceof Error ? error.message : error}`)
      })
  }
  const assign = (runs: Extract<FleetDown, { type: 'assign' }>['runs']): void => {
    if (draining) return
    const wanted = new Map<string, number>(runs.map((run) => [run.run_id, run.slots]))
    for (const [run_id, worker] of workers) {
      const slots = wanted.get(run_id)
      if (slots !== undefined) worker.setSlots(slots)
      else void worker.stop(drainMs)
    }
    for (const [run_id, slots] of wanted) if (!workers.has(run_id)) join(run_id, slots)
  }
  const { edgeUrl, token, agentId, host, version, capabilities, slots } = options
  const socket = openSocket(`${edgeUrl.replace(/^http/, 'ws')}/api/fleet/socket`, token, {
    onOpen() {
      say({ type: 'hello', protocol: protocolVersion, agent_id: agentId as never, session, host, version, capabilities, slots })
      rates.onOpen()
    },
    onFrame(text) {
      const frame = readFrame(FleetDown, text)
      if (!frame) return void stop(strangeFrame)
      if (frame.type === 'assign') return assign(frame.runs)
      if (frame.type === 'rate') return rates.onGrant(frame)
      options.log(`connected to ${edgeUrl} as ${agentId} with ${slots} slots`)
      clearInterval(heartbeat)
      heartbeat = setInterval(beat, frame.heartbeat_ms)
    },
    onClosed(code, reason) {
      const taken =
        code === closeCodes.replaced ? `Another process runs as agent ${agentId}; this one stops. Give each its own --name.` : reason
      void stop(taken)
    },
  })
  const stop = async (why: string): Promise<void> => {
    if (draining) return
    draining = true
    beat()
    await Promise.all([...workers.values()].map((worker) => worker.stop(drainMs)))
    clearInterval(heartbeat)
    rates.stop()
    socket.close()
    finish(why)
  }

  return { finished, drain: () => stop('drained') }
}
export type Agent = ReturnType<typeof startAgent>
