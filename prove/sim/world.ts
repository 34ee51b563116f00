import { isTerminal, type PlannedJudge } from '#shared/contract/run.ts'
import { leaseMs } from '#shared/run/lease.ts'
import { testSpec } from '#shared/run/testing/test-spec.ts'
import { createAgent, type Network } from './agent.ts'
import { createClock } from './clock.ts'
import { createDatabase } from './database.ts'
import { createEdge, type Edge } from './edge.ts'
import { createInvariants } from './invariants.ts'
import { createLedger } from './ledger.ts'
import type { Mutant } from './mutants.ts'
import { createRandom, type Random } from './random.ts'

export type WorldResult = { seed: number; events: number; breaches: string[]; status: string; kills: number; calls: number }

/** What this seed's world is like: how lossy, how many agents, whether there is a budget, whether somebody cancels. */
function drawWorld(random: Random) {
  return {
    agents: random.int(1, 8),
    width: random.int(1, 6),
    trials: random.int(120, 700),
    cutRate: random.next() * 0.03,
    duplicateRate: random.next() * 0.5,
    delayMs: random.int(1, 200),
    failureRate: random.chance(0.5) ? random.next() * 0.3 : 0,
    faultEveryMs: random.int(400, 6000),
    budget: random.chance(0.25) ? random.int(1, 4) : null,
    cancels: random.chance(0.15),
    rateLimit: random.chance(0.6) ? random.int(8, 40) : null,
  }
}

/** In every third world the answers to the second benchmark are judged, at a price of its own. */
const judge: PlannedJudge = {
  model: { id: 'judge', slug: 'judge', provider: 'demo' },
  price: { input_per_million_usd: 1, output_per_million_usd: 1, cached_input_per_million_usd: null },
  params: { temperature: 0, top_p: null, max_tokens: 100, stop: null, seed: null, reasoning_effort: null },
  schema: false,
}

/** More than any world can cost. */
const ampleUsd = 1_000_000

/** Plays one seed: faults for `steps` events, then quiet until the run must have converged. */
export function playWorld(seed: number, steps: number, mutant: Mutant | null = null): WorldResult {
  const random = createRandom(seed)
  const world = drawWorld(random)
  const clock = createClock(Date.parse('2026-01-01T00:00:00Z'))
  const spec = testSpec({
    benchmarks: [
      { name: 'alpha', items: world.trials, epochs: 1 },
      { name: 'beta', items: 40, epochs: 2, judge: seed % 3 === 0 ? judge : null },
    ],
    budget_usd: world.budget,
    max_tokens: 1000,
    concurrency: random.int(2, world.agents * world.width + 4),
  })
  const ledger = createLedger(random)
  let quiet = false
  let databaseUp = true
  let edgeUp = true
  let kills = 0
  let breach: (text: string) => void = () => undefined
  const database = createDatabase((text) => breach(text), { insertOnly: mutant === 'insert-not-upsert' })
  const invariants = createInvariants(ledger, database, world.rateLimit)
  breach = (text) => invariants.breach('I2', text)
  const edge: Edge = createEdge(
    spec,
    clock,
    database,
    { agentSlots: world.width, rateLimit: world.rateLimit, databaseUp: () => databaseUp, random, calm: () => quiet },
    {
      onAssign: invariants.onAssign,
      onHeard: (session) => invariants.onHeard(session, clock.now()),
      onCommit: (events, before, after, command) => invariants.onCommit(events, before, after, command, () => edge),
    },
    mutant,
  )
  const network: Network = {
    delay: () => (quiet ? 1 : random.int(0, world.delayMs)),
    latency: () => (quiet ? 20 : random.int(5, 2000)),
    tooMany: (agent, inFlight, slots) => invariants.breach('I5', `${agent} has ${inFlight} requests in flight with ${slots} slots`),
    onCall: () => invariants.onCall(clock.now()),
    cuts: () => !quiet && random.chance(world.cutRate),
    duplicates: () => !quiet && random.chance(world.duplicateRate),
    edgeUp: () => edgeUp,
    failing: () => !quiet && random.chance(world.failureRate),
  }
  const agents = Array.from({ length: world.agents }, (_, n) =>
    createAgent(
      { name: `agent-${n}`, batch: random.int(1, 8), skewMs: random.int(-1, 1) * 3_600_000, mutant },
      clock,
      random,
      () => edge,
      ledger,
      network,
    ),
  )

  const fault = (): void => {
    if (quiet) return
    const agent = random.pick(agents)
    const away = random.int(500, 45_000)
    const kind = random.pick(['kill', 'freeze', 'cut', 'edge', 'database', 'command', 'none'] as const)
    if (kind === 'kill') {
      kills++
      agent.kill()
      clock.after(away, () => !agent.alive() && agent.start())
    } else if (kind === 'freeze') {
      agent.freeze()
      clock.after(away, () => agent.thaw())
    } else if (kind === 'cut') agent.cutConnection()
    else if (kind === 'edge') {
      kills++
      edgeUp = false
      edge.crash()
      clock.after(random.int(100, 5000), () => (edgeUp = true))
    } else if (kind === 'database') {
      databaseUp = false
      clock.after(away, () => (databaseUp = true))
    } else if (kind === 'command') {
      const commands = ['pause', 'resume', 'retry_failed', 'resume', ...(world.cancels ? ['cancel' as const] : [])] as const
      edge.command({ type: random.pick(commands) })
    }
    clock.after(random.int(1, world.faultEveryMs), fault)
  }
  const look = (): void => {
    invariants.lookAsViewer(edge, random)
    clock.after(500, look)
  }
  for (const agent of agents) agent.start()
  clock.after(1000, fault)
  look()

  let events = 0
  const over = (): boolean => isTerminal(edge.stored.head.status) && !edge.pending()
  while (events < steps && invariants.breaches.length === 0 && clock.step()) events++

  quiet = true
  databaseUp = true
  edgeUp = true
  for (const agent of agents) {
    if (!agent.alive()) agent.start()
    agent.thaw()
  }
  // Whoever wants his result raises the budget; that a run parked for it goes on by itself is part of what is shown here.
  if (edge.stored.head.budget_usd !== null) edge.command({ type: 'set_budget', budget_usd: ampleUsd })
  if (edge.stored.head.status === 'paused') edge.command({ type: 'resume' })
  // A limited key takes its time, however healthy everything is.
  const throttled = world.rateLimit === null ? 0 : (6 * 1000 * (world.trials + 80)) / world.rateLimit
  const deadline = clock.now() + 2 * leaseMs + throttled
  const most = events + 20 * steps
  while (
    events < most &&
    clock.now() < deadline &&
    invariants.breaches.length === 0 &&
    !(over() && agents.every((agent) => agent.inFlight() === 0)) &&
    clock.step()
  )
    events++
  const settled = clock.now() + 20_000
  while (events < most && clock.now() < settled && invariants.breaches.length === 0 && clock.step()) events++
  if (invariants.breaches.length === 0) invariants.atEnd(edge)
  return { seed, events, breaches: invariants.breaches, status: edge.stored.head.status, kills, calls: ledger.calls.length }
}
