import type { RunSpec } from '#shared/contract/run.ts'
import type { TrialBrief } from '#shared/contract/trial.ts'
import { noUsage } from '#shared/contract/usage.ts'
import { trialCount } from '#shared/run/plan.ts'
import { closedWindow, openWindow, rateAskMs, rateWindowMs, takeFrom } from '#shared/run/rate-share.ts'
import type { Clock } from './clock.ts'
import type { Connection, Down, Edge, Up } from './edge.ts'
import type { Call, Ledger } from './ledger.ts'
import type { Mutant } from './mutants.ts'
import type { Random } from './random.ts'

export type Network = {
  delay(): number
  tooMany(agent: string, inFlight: number, slots: number): void
  onCall(): void
  latency(): number
  cuts(): boolean
  duplicates(): boolean
  edgeUp(): boolean
  failing(): boolean
}
export type AgentOptions = { name: string; batch: number; skewMs: number; mutant: Mutant | null }

/** A fleet agent as the edge sees it: claims ahead, calls the provider, keeps reports until acknowledged, comes back by itself. */
export function createAgent(options: AgentOptions, clock: Clock, random: Random, edge: () => Edge, ledger: Ledger, network: Network) {
  const { name, mutant } = options
  let life = 0
  let session = ''
  let alive = false
  let frozen = false
  let deferred: (() => void)[] = []
  let connection: Connection | undefined
  let queue: [number, number][] = []
  let claiming = false
  let slots = 0
  let stopped = false
  let paused = false
  let rate = closedWindow
  let unlimited = false
  let asked = new Map<number, number>()
  let nextAsk = 1
  const inFlight = new Map<string, Call>()
  /** Calls whose report is not acknowledged: all that a crash can lose. */
  const unsettled = new Map<string, Call>()
  let ready: TrialBrief[] = []
  let unacknowledged = new Map<number, TrialBrief[]>()
  let nextId = 1

  /** Runs later in this life of the process; while it is frozen things wait. */
  const later = (ms: number, run: () => void): void => {
    const mine = life
    const go = (): void => {
      if (mine !== life) return
      if (frozen) deferred.push(go)
      else run()
    }
    clock.after(ms, go)
  }
  const send = (frame: Up): void => {
    const via = connection
    if (!via?.open) return
    if (network.cuts()) return cut(via)
    const arrive = (): void => edge().receive(via, frame)
    const times = frame.type === 'report' && network.duplicates() ? 2 : 1
    for (let copy = 0; copy < times; copy++)
      clock.after(orderedDelay(), () => (via.open || random.chance(0.3)) && network.edgeUp() && arrive())
  }
  let lastArrival = 0
  const orderedDelay = (): number => {
    lastArrival = Math.max(clock.now() + network.delay(), lastArrival)
    return lastArrival - clock.now()
  }
  const cut = (via: Connection): void => {
    if (!via.open) return
    via.open = false
    clock.after(network.delay(), () => edge().disconnect(via))
    lost(via)
  }
  const lost = (via: Connection): void => {
    if (connection !== via) return
    connection = undefined
    claiming = false
    if (mutant === 'lose-outbox') unacknowledged = new Map()
    if (!stopped) later(random.int(250, 3000), dial)
  }
  const dial = (): void => {
    if (connection || stopped) return
    if (!network.edgeUp()) return later(random.int(250, 3000), dial)
    let lastDelivery = 0
    const deliver = (frame: Down): void => {
      lastDelivery = Math.max(clock.now() + network.delay(), lastDelivery)
      later(lastDelivery - clock.now(), () => onFrame(made, frame))
    }
    const made: Connection = { open: true, session: null, agent_id: null, deliver }
    connection = made
    edge().connect(made)
    const outbox = [...unacknowledged.values(), ready].flat().map((brief): [number, number] => [brief.ordinal, brief.attempt])
    const working = [...queue, ...[...inFlight.values()].map((call): [number, number] => [call.ordinal, call.attempt])]
    send({ type: 'hello', agent_id: name, session, holding: [...working, ...outbox] })
  }
  const onFrame = (via: Connection, frame: Down): void => {
    if (frame.type === 'closed') return lost(via)
    if (via !== connection) return
    if (frame.type === 'assign') {
      slots = frame.slots
      letGo()
    } else if (frame.type === 'rate') {
      const askedMs = asked.get(frame.ask)
      asked.delete(frame.ask)
      unlimited = frame.permits === null
      if (frame.permits !== null && askedMs !== undefined) rate = openWindow(rate, frame.permits, askedMs)
    } else if (frame.type === 'welcome')
      for (const [id, results] of unacknowledged) send({ type: 'report', id, results, sent_at_ms: clock.now() + options.skewMs })
    else if (frame.type === 'leases') {
      queue.push(...frame.leases)
      if (slots === 0) letGo()
      if (frame.leases.length > 0) claiming = false
      else
        later(500, () => {
          claiming = false
          pump()
        })
    } else if (frame.type === 'ack') {
      for (const brief of unacknowledged.get(frame.id) ?? []) unsettled.delete(`${brief.ordinal}:${brief.attempt}`)
      unacknowledged.delete(frame.id)
    } else {
      paused = frame.status === 'paused'
      if (paused || frame.status === 'canceled') giveBack()
    }
    pump()
  }
  /** Hands back what exceeds the slots. */
  const letGo = (): void => {
    const surplus = queue.splice(slots)
    if (surplus.length) send({ type: 'release', leases: surplus })
  }
  const giveBack = (): void => {
    if (queue.length) send({ type: 'release', leases: queue })
    queue = []
  }
  const ownClock = (): number => clock.now() + options.skewMs
  /** As the agent's rate desk: asks as long as somebody sends or waits. */
  const askRate = (): void => {
    asked.set(nextAsk, ownClock())
    const used = rate.sent.filter((at) => at > ownClock() - rateWindowMs).length
    if (queue.length + used > 0) send({ type: 'rate', ask: nextAsk++, want: queue.length + used })
  }
  const askAgain = (): void => {
    askRate()
    later(rateAskMs, askAgain)
  }
  let waking = false
  /** Whether the key's limit lets a request out now; if not, comes back when it may. */
  const mayCall = (): boolean => {
    if (unlimited) return true
    const taken = takeFrom(rate, ownClock())
    if ('sent' in taken) {
      rate = taken.sent
      return true
    }
    if (!waking) {
      if (taken.wait_ms === null) askRate()
      waking = true
      later(Math.ceil(taken.wait_ms ?? rateAskMs), () => {
        waking = false
        pump()
      })
    }
    return false
  }
  const pump = (): void => {
    while (!paused && queue.length > 0 && inFlight.size < slots && mayCall()) call(queue.shift()!)
    if (!claiming && !paused && slots > 0 && connection?.open && queue.length < slots) {
      claiming = true
      later(random.int(0, 50), () => send({ type: 'claim', count: Math.max(1, slots) }))
    }
  }
  const call = ([ordinal, attempt]: [number, number]): void => {
    const made = ledger.bill(ordinal, attempt)
    network.onCall()
    if (inFlight.size >= slots) network.tooMany(name, inFlight.size + 1, slots)
    inFlight.set(`${ordinal}:${attempt}`, made)
    unsettled.set(`${ordinal}:${attempt}`, made)
    later(network.latency(), () => {
      inFlight.delete(`${ordinal}:${attempt}`)
      const outcome = ledger.answer(ordinal, network.failing())
      if (mutant === 'retry-wrong-answers' && outcome === 'wrong' && random.chance(0.5)) return call([ordinal, attempt])
      ready.push(briefOf(made, outcome, edge().spec))
      if (ready.length >= options.batch) flush()
      else later(100, flush)
      pump()
    })
  }
  const flush = (): void => {
    if (ready.length === 0) return
    unacknowledged.set(nextId, ready)
    send({ type: 'report', id: nextId++, results: ready, sent_at_ms: clock.now() + options.skewMs })
    ready = []
  }
  const renew = (): void => {
    send({ type: 'renew', sent_at_ms: clock.now() + options.skewMs })
    pump()
    later(10_000, renew)
  }
  const nudge = (): void => {
    if (queue.length === 0 && inFlight.size === 0) claiming = false
    pump()
    later(2000, nudge)
  }

  return {
    name,
    alive: () => alive,
    inFlight: () => inFlight.size,
    start(): void {
      life++
      session = `${name}-session-${life}`
      alive = true
      frozen = false
      stopped = false
      dial()
      later(10_000, renew)
      later(2000, nudge)
      askAgain()
    },
    /** kill -9: what was in flight or not yet acknowledged is gone; the provider has been paid all the same. */
    kill(): void {
      life++
      alive = false
      for (const made of unsettled.values()) made.lost = true
      unsettled.clear()
      const via = connection
      connection = undefined
      if (via?.open) {
        via.open = false
        clock.after(network.delay(), () => edge().disconnect(via))
      }
      inFlight.clear()
      queue = []
      ready = []
      unacknowledged = new Map()
      claiming = false
      rate = closedWindow
      unlimited = false
      asked = new Map()
      waking = false
      deferred = []
    },
    freeze(): void {
      frozen = true
    },
    thaw(): void {
      frozen = false
      const waiting = deferred
      deferred = []
      for (const run of waiting) run()
    },
    cutConnection(): void {
      if (connection) cut(connection)
    },
  }
}
export type SimAgent = ReturnType<typeof createAgent>

/** Of what an answer cost that is judged, the judge took more than half. */
function briefOf(call: Call, outcome: 'right' | 'wrong' | 'failed', spec: RunSpec): TrialBrief {
  const failed = outcome === 'failed'
  const { judge } = spec.benchmarks[call.ordinal < trialCount(spec.benchmarks[0]!) ? 0 : 1]!
  const cost_usd = judge ? call.cost_usd * 0.4 : call.cost_usd
  return {
    ordinal: call.ordinal,
    attempt: call.attempt,
    item_id: String(call.ordinal),
    epoch: 0,
    group: null,
    outcome,
    score: failed ? null : outcome === 'right' ? 1 : 0,
    answer: null,
    expected: null,
    failure: failed ? 'provider/server-error' : null,
    retryable: failed,
    flags: [],
    latency_ms: 5,
    ttft_ms: 1,
    usage: { ...noUsage, output_tokens: Math.round(call.cost_usd * 1000) },
    cost_usd,
    ...(judge && { judge: { usage: noUsage, cost_usd: call.cost_usd - cost_usd } }),
  }
}
