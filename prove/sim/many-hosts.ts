import { isTerminal } from '#shared/contract/run.ts'
import { initialHead } from '#shared/run/apply.ts'
import { planTrials } from '#shared/run/plan.ts'
import { testSpec } from '#shared/run/testing/test-spec.ts'
import { createPasses } from '../../edge/objects/passes.ts'
import { createClock } from './clock.ts'
import { hostFleet } from './fleet-host.ts'
import { createLedger } from './ledger.ts'
import { createNetwork, type Listener } from './network.ts'
import { createProgram } from './program.ts'
import { createRandom } from './random.ts'
import { hostRun, type RunHost } from './run-host.ts'
import { createVirtualStore } from './virtual-store.ts'

/** `spread`: how much faster or slower than `episodeMs` hosts are at most; `vanishing`: how many go away in the middle of an episode, for good. */
export type ManyHosts = { hosts: number; episodes: number; episodeMs: number; spread: number; vanishing: number; seed: number }

export type ManyHostsResult = {
  ended: string
  done: number
  makespanMs: number
  idealMs: number
  executions: number
  events: number
  breaches: string[]
}

const startMs = Date.parse('2026-01-01T00:00:00Z')
const secret = 'agt_12345678'
const call = {
  connect_ms: 10_000,
  first_token_ms: 7_200_000,
  idle_ms: 7_200_000,
  total_ms: 7_200_000,
  attempts: 5,
  timeouts: 2,
  patience_ms: 7_200_000,
}

/**
 * One run of long episodes over many hosts, each of which works at one at once and as fast as it is, in virtual time on the real shells of run, fleet and agent.
 * The makespan is from the run's creation to its end; the ideal that of somebody who knows how fast each host is and when it goes, and loses no second.
 */
export async function playManyHosts({ hosts, episodes, episodeMs, spread, vanishing, seed }: ManyHosts): Promise<ManyHostsResult> {
  const random = createRandom(seed)
  const clock = createClock(startMs)
  const ledger = createLedger(random)
  const breaches: string[] = []
  const planned = testSpec({ benchmarks: [{ name: 'alpha', items: episodes, epochs: 1 }], concurrency: episodes })
  const needs = { sandbox: null, timing_sensitive: false, typical_seconds: episodeMs / 1000 }
  const spec = { ...planned, benchmarks: planned.benchmarks.map((one) => ({ ...one, needs, limits: call })) }
  const calm = {
    delayMs: () => random.int(5, 60),
    cuts: () => false,
    duplicates: () => false,
    echoes: () => false,
    halfOpens: () => false,
    lingerMs: () => 60_000,
  }
  const listeners = new Map<string, Listener>()
  const network = createNetwork(clock, calm, (path) => listeners.get(path))
  const database = createVirtualStore({
    ask: (work) => new Promise((resolve) => clock.after(10, () => resolve(work()))),
  })
  let run: RunHost
  const announce = async (): Promise<void> => void (await run.announce())
  const fleet = hostFleet({
    ...{ clock, network: () => network, store: database.store, secret, rateLimit: null },
    plan: async (wanted) => {
      await run.create(wanted)
      await announce()
    },
    ask: announce,
    onBreach: (id, text) => breaches.push(`${id}: ${text}`),
  })
  run = hostRun({
    ...{ clock, network: () => network, store: database.store, passes: createPasses(secret) },
    fleet: (matched, ended) => fleet.update(matched, ended),
    watch: { onCommit: () => undefined, onMessage: () => undefined, onSaid: () => undefined, onWrong: (text) => breaches.push(text) },
  })
  listeners.set('/api/fleet/socket', fleet.listener)
  listeners.set(`/api/runs/${spec.run_id}/socket`, run.listener)
  const ordinals = new Map([...planTrials(spec)].map(({ item_id, ordinal }) => [item_id, ordinal]))
  const speeds = Array.from({ length: hosts }, () => Math.round(episodeMs * (1 + spread * (2 * random.next() - 1))))
  const goesMs = speeds.map((_, n) => (n < vanishing ? random.int(1, Math.round(2 * episodeMs)) : Number.POSITIVE_INFINITY))
  const programs = speeds.map((latencyMs, n) =>
    createProgram({
      ...{ name: `host-${n}`, skewMs: random.int(0, 1_000_000), slots: 1, world: clock, network, ledger, random },
      weather: { latencyMs: () => latencyMs, failing: () => false, dooms: () => false, equipMs: () => random.int(100, 2000) },
      ordinalOf: (_benchmark, item_id) => ordinals.get(item_id)!,
      onCall: () => () => undefined,
      onWork: () => () => undefined,
      onKilled: () => undefined,
      onUnheard: () => undefined,
    }),
  )
  database.runs.set(spec.run_id, { spec, head: initialHead(spec), trials: new Map(), events: new Map(), openings: new Map() })
  for (const [n, program] of programs.entries()) {
    clock.after(random.int(0, 3000), program.start)
    if (Number.isFinite(goesMs[n]!)) clock.after(goesMs[n]!, () => program.kill(true)) // its machine lost power
  }
  void run.create(spec)
  const head = () => run.head() ?? initialHead(spec)
  let events = 0
  const most = startMs + 20 * episodeMs * Math.ceil(episodes / hosts)
  while (!isTerminal(head().status) && clock.now() < most && (await clock.step())) events++
  const { right, wrong } = head().benchmarks.alpha!
  const idealMs = idealMakespan(speeds, goesMs, episodes)
  return {
    ended: head().status,
    done: right + wrong,
    makespanMs: clock.now() - startMs,
    idealMs,
    executions: ledger.executions.length,
    events,
    breaches,
  }
}

/** The least time in which hosts of these speeds (ms for an episode), each there until it goes, end so many episodes: what is half done when it goes is lost. */
export function idealMakespan(speeds: readonly number[], goesMs: readonly number[], episodes: number): number {
  const doneBy = (ms: number): number => speeds.reduce((sum, speed, n) => sum + Math.floor(Math.min(ms, goesMs[n]!) / speed), 0)
  let [low, high] = [0, Math.max(...speeds) * episodes]
  if (doneBy(high) < episodes) return Number.POSITIVE_INFINITY
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (doneBy(middle) >= episodes) high = middle
    else low = middle
  }
  return high
}
