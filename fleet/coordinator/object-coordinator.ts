import { hash } from 'node:crypto'
import { closeCodes, RunDown, type RunUp } from '#shared/contract/frame.ts'
import { spoken } from '#shared/contract/protocol.ts'
import type { Lease } from '#shared/contract/trial.ts'
import { every, within } from '#shared/run/clock.ts'
import { asAborted, wasBegun } from './aborted.ts'
import { type Link, processLink } from './link.ts'
import { createOutbox } from './outbox.ts'
import type { Coordinator, CoordinatorEvents, Wish } from './port.ts'
import { openSocket, readFrame, type SocketHandlers, strangeFrame } from './socket.ts'

/** Longest wait for a new key after a refused call, in milliseconds. */
const renewWaitMs = 10_000

export type ObjectCoordinatorOptions = { edgeUrl: string; runId: string; token: string; agentId: string; session: string; pass(): string }

/**
 * A run coordinated by its Durable Object. Resolves with the first welcome; rejects when the edge refuses the agent for good.
 * On every reconnect the agent says which leases it still holds, so that the object can free those whose answer was lost. `signal` ends what
 * has not been welcomed yet, and nothing comes of it: one that came late would take the place of a newer connection of the same agent.
 */
export function connectRun(
  options: ObjectCoordinatorOptions,
  events: CoordinatorEvents,
  link: Link = processLink,
  signal?: AbortSignal,
): Promise<Coordinator> {
  const leases = new Map<string, Lease>()
  /** Those that were told as begun; told again over a new connection, as the frame may have got lost with the old one. */
  const begun = new Map<string, Lease>()
  const forget = ({ ordinal, attempt }: Pick<Lease, 'ordinal' | 'attempt'>): void => {
    leases.delete(`${ordinal}:${attempt}`)
    begun.delete(`${ordinal}:${attempt}`)
  }
  /** The claim under way, by the number that its answer names. */
  const pending = new Map<number, (leases: Lease[]) => void>()
  let asked = 0
  let wished: Wish | undefined
  let credential: string | null = null
  /** Resolvers of the calls that wait for a new key. */
  const waiting = new Set<() => void>()
  const tellWaiting = (): void => {
    for (const tell of waiting) tell()
    waiting.clear()
  }
  const keep = (key: string | undefined): void => {
    if (key === undefined) return
    credential = key
    tellWaiting()
  }
  let renewal: (() => void) | undefined
  let ended = false

  return new Promise((resolve, reject) => {
    let welcomed = false
    const url = `${options.edgeUrl.replace(/^http/, 'ws')}/api/runs/${options.runId}/socket`
    const say = (frame: RunUp): boolean => socket.send(JSON.stringify(frame))
    const outbox = createOutbox((frame) => socket.send(frame), link.clock)
    const unanswered = (): void => {
      const answers = [...pending.values()]
      pending.clear()
      for (const answer of answers) answer([])
    }
    const stop = (): void => {
      ended = true
      renewal?.()
      outbox.stop()
      unanswered()
      tellWaiting()
    }
    const hello = (): void => {
      unanswered() // a claim whose answer was lost is asked again by the worker
      const holding = [...leases.values()].map((lease): [number, number] => [lease.ordinal, lease.attempt])
      say({
        type: 'hello',
        ...spoken,
        agent_id: options.agentId as never,
        session: options.session,
        holding: [...holding, ...outbox.held()],
        pass: options.pass(),
      })
      sayBegun([...begun.values()])
    }
    const sayBegun = (work: readonly Lease[]): void => {
      if (work.length > 0) say({ type: 'begin', leases: work.map(({ ordinal, attempt }) => [ordinal, attempt]) })
    }
    const coordinator = (welcome: Extract<RunDown, { type: 'welcome' }>): Coordinator => ({
      spec: welcome.spec,
      credential: () => credential,
      async renewCredential(refused) {
        if (ended || credential !== refused) return
        const another = new Promise<void>((resolve) => void waiting.add(resolve))
        say({ type: 'renew', ...wished, refused: hash('sha256', refused) })
        await within(link.clock, renewWaitMs, another)
      },
      claim: (count, benchmarks, wish, begins = false) =>
        new Promise((answer) => {
          wished = wish ?? wished
          const more = { ...(events.onPreflight && { checks: true }), ...(benchmarks?.length && { benchmarks: [...benchmarks] }) }
          const ask = ++asked
          if (ended || !say({ type: 'claim', count, ask, ...more, ...(begins && { begins }), ...wished })) return answer([])
          pending.set(ask, answer)
        }),
      begin(work) {
        for (const lease of work) begun.set(`${lease.ordinal}:${lease.attempt}`, lease)
        sayBegun(work)
      },
      wish(wish) {
        wished = wish
        say({ type: 'renew', ...wish })
      },
      report(record) {
        forget(record)
        outbox.add(record)
        if (leases.size === 0) outbox.flush()
      },
      giveUp(record) {
        if (!wasBegun(record)) return this.release([record])
        this.report(asAborted(record))
      },
      backlog: () => outbox.size(),
      release(returned) {
        for (const lease of returned) forget(lease)
        if (returned.length) say({ type: 'release', leases: returned.map((lease) => [lease.ordinal, lease.attempt]) })
      },
      halt: (failure, until) => void say({ type: 'halt', failure, until }),
      preflight: (round, found, halt) =>
        void say({ type: 'preflight', round, found, failure: halt?.failure ?? null, until: halt?.until ?? null }),
      pulse_ms: welcome.pulse_ms,
      tell: (pulse) => void say({ type: 'pulse', ...pulse }),
      tellLive: (told) => void say({ type: 'live', ...told }),
      drained: () => {
        outbox.flush()
        return outbox.drained()
      },
      close: async () => {
        say({ type: 'leave' })
        stop()
        socket.close()
      },
    })
    const onFrame = (frame: RunDown): void => {
      if (frame.type === 'welcome') {
        outbox.resend()
        if (welcomed) return
        welcomed = true
        renewal = every(link.clock, frame.renew_ms, () => say({ type: 'renew', ...wished }))
        resolve(coordinator(frame))
      } else if (frame.type === 'leases') {
        const answer = pending.get(frame.ask)
        if (!answer) return // a second delivery: the claim was answered before
        pending.delete(frame.ask)
        keep(frame.credential)
        for (const lease of frame.leases) leases.set(`${lease.ordinal}:${lease.attempt}`, lease)
        if (frame.width !== undefined) events.onGrant?.(frame.width, true)
        if (frame.ahead !== undefined) events.onAhead?.(frame.ahead)
        if (frame.preflight !== undefined) events.onPreflight?.(frame.preflight)
        answer(frame.leases)
      } else if (frame.type === 'ack') outbox.acknowledge(frame.id)
      else if (frame.type === 'drop') events.onDrop(frame.leases)
      else if (frame.type === 'watch') events.onWatch?.(frame.trials)
      else {
        keep(frame.credential)
        if (frame.status !== 'running') tellWaiting()
        if (frame.width !== undefined) events.onGrant?.(frame.width, false)
        if (frame.ahead !== undefined) events.onAhead?.(frame.ahead)
        events.onState(frame)
      }
    }
    const onClosed = (code: number, reason: string): void => {
      stop()
      if (!welcomed) reject(new Error(reason, { cause: code }))
      else events.onClosed(code === closeCodes.replaced ? 'replaced' : 'refused', reason)
    }
    const handlers: SocketHandlers = {
      onOpen: hello,
      onFrame(text) {
        const frame = readFrame(RunDown, text)
        if (frame) return onFrame(frame)
        socket.close()
        onClosed(closeCodes.badFrame, strangeFrame)
      },
      onClosed,
    }
    const socket = openSocket(url, options.token, handlers, link)
    signal?.addEventListener('abort', () => {
      if (welcomed) return
      stop()
      socket.close()
    })
  })
}
