import type { PlannedRole } from '#shared/contract/role.ts'
import { isTerminal, type RunSpec } from '#shared/contract/run.ts'
import { initialHead } from '#shared/run/apply.ts'
import { leaseMs } from '#shared/run/lease.ts'
import { drainMs } from '#shared/run/patience.ts'
import { planTrials } from '#shared/run/plan.ts'
import { testSpec } from '#shared/run/testing/test-spec.ts'
import { createPasses } from '../../edge/objects/passes.ts'
import { createClock } from './clock.ts'
import { hostFleet } from './fleet-host.ts'
import { Invariants } from './invariants.ts'
import { createLedger, usdPerMillion } from './ledger.ts'
import { createNetwork, type Listener, type Network } from './network.ts'
import { createProgram, type Program } from './program.ts'
import { createRandom, type Random } from './random.ts'
import { hostRun, type RunHost } from './run-host.ts'
import { watchSeats } from './seats.ts'
import { createViewer } from './viewer.ts'
import { createVirtualStore, noAnswer } from './virtual-store.ts'

export type WorldResult = { seed: number; events: number; breaches: string[]; status: string; kills: number; calls: number }

/** What this seed's world is like: how lossy, how many agents, whether there is a budget, whether somebody cancels. */
function drawWorld(random: Random) {
  return {
    agents: random.int(1, 6),
    width: random.int(1, 12),
    trials: random.int(60, 400),
    cutRate: random.next() * 0.02,
    duplicateRate: random.next() * 0.4,
    halfOpenRate: random.chance(0.5) ? random.next() * 0.004 : 0,
    delayMs: random.int(1, 200),
    databaseMs: random.pick([5, 20, 100, 400, 9000]),
    failureRate: random.chance(0.5) ? random.next() * 0.3 : 0,
    faultEveryMs: random.int(400, 6000),
    budget: random.chance(0.25) ? random.pick([0.3, 0.6, 1.2]) : null,
    cancels: random.chance(0.15),
    ...random.pick([
      { rateLimit: null, latencyMs: random.pick([300, 1500, 4000, 20_000]) },
      { rateLimit: random.int(4, 20), latencyMs: 300 },
    ]),
  }
}

/** In every third world the answers to the second benchmark are judged, at a price of its own. */
const judge: PlannedRole = {
  model: { id: 'judge', slug: 'judge', provider: 'demo' },
  price: { input_per_million_usd: 0, output_per_million_usd: usdPerMillion, cached_input_per_million_usd: null },
  params: { temperature: 0, top_p: null, max_tokens: 1000, stop: null, seed: null, reasoning_effort: null },
  schema: false,
}
const secret = 'agt_12345678'
/** More than any world can cost. */
const ampleUsd = 1_000_000
const startMs = Date.parse('2026-01-01T00:00:00Z')

function specOf(world: ReturnType<typeof drawWorld>, random: Random, seed: number): RunSpec {
  const spec = testSpec({
    benchmarks: [
      { name: 'alpha', items: world.trials, epochs: 1 },
      { name: 'beta', items: 20, epochs: 2, roles: seed % 3 === 0 ? { judge } : {} },
    ],
    budget_usd: world.budget,
    max_tokens: 1000,
    concurrency: random.int(2, world.agents * world.width + 4),
  })
  return { ...spec, price: judge.price }
}

/** One seed's world as it stands before its first moment. */
function buildWorld(seed: number) {
  const random = createRandom(seed)
  const echoing = createRandom(seed + 1_000_003)
  const drawn = drawWorld(random)
  const clock = createClock(startMs)
  const spec = specOf(drawn, random, seed)
  const ledger = createLedger(random)
  const invariants = new Invariants(clock, ledger, spec)
  const state = { quiet: false, databaseUp: true, kills: 0, calls: 0, bootedMs: startMs }
  const rough = <T>(wild: () => T, calm: T): T => (state.quiet ? calm : wild())
  const weather = {
    delayMs: () => rough(() => random.int(0, drawn.delayMs), 1),
    cuts: () => rough(() => random.chance(drawn.cutRate), false),
    duplicates: () => rough(() => random.chance(drawn.duplicateRate), false),
    // In every fourth world each frame may come twice; chance of its own keeps the other worlds as they are.
    echoes: () => seed % 4 === 1 && rough(() => echoing.chance(0.3), false),
    halfOpens: () => rough(() => random.chance(drawn.halfOpenRate), false),
    lingerMs: () => random.int(60_000, 300_000),
  }
  const database = createVirtualStore({
    ask: (work) =>
      new Promise((resolve, reject) => {
        const wait = (): number => rough(() => random.int(1, drawn.databaseMs), 2)
        const lost = (): boolean => !state.databaseUp || rough(() => random.chance(0.1), false)
        clock.after(wait(), () => {
          if (lost()) return void clock.after(wait(), () => reject(noAnswer()))
          try {
            const done = work()
            const unheard = lost()
            clock.after(wait(), () => (unheard ? reject(noAnswer()) : resolve(done)))
          } catch (error) {
            reject(error)
          }
        })
      }),
  })
  const seats = watchSeats(
    () => run,
    (text) => invariants.breach('I13', text),
  )
  const listeners = new Map<string, Listener>()
  const network: Network = createNetwork(clock, weather, (path) => listeners.get(path))
  let run: RunHost
  const fleet = hostFleet({
    ...{ clock, network: () => network, store: database.store, secret, rateLimit: drawn.rateLimit },
    async plan(planned) {
      if (!run.isUp()) throw new Error('the run is away')
      await run.create(planned)
      await run.announce()
    },
    async ask() {
      if (!run.isUp()) throw new Error('the run is away')
      await run.announce()
    },
    onBreach: (id, text) => invariants.breach(id, text),
  })
  run = hostRun({
    ...{ clock, network: () => network, store: database.store, passes: createPasses(secret) },
    fleet: (matched, ended) =>
      new Promise((resolve, reject) => {
        clock.after(weather.delayMs(), () => {
          if (rough(() => random.chance(0.05), false)) return reject(new Error('the fleet was not reached'))
          fleet.update(matched, ended).then(resolve, reject)
        })
      }),
    watch: {
      onCommit: (events, head) => invariants.onCommit(events, head),
      onMessage: (session, text) => invariants.onMessage(session, text),
      onSaid(session, text) {
        invariants.onSaid(session, text)
        seats.onSaid(session, text)
      },
      onWrong: (text) => invariants.breach('I0', text),
    },
  })
  listeners.set('/api/fleet/socket', fleet.listener)
  listeners.set(`/api/runs/${spec.run_id}/socket`, run.listener)
  const ordinals = new Map(
    [...planTrials(spec)].map(({ benchmark, item_id, epoch, ordinal }) => [`${benchmark} ${item_id} ${epoch}`, ordinal]),
  )
  const widths = Array.from({ length: drawn.agents }, () => random.int(1, drawn.width))
  const programs = Array.from({ length: drawn.agents }, (_, n) =>
    createProgram({
      ...{ name: `agent-${n}`, skewMs: random.int(0, 1_000_000), slots: widths[n]!, world: clock, network, ledger, random },
      weather: {
        latencyMs: () => rough(() => random.int(5, drawn.latencyMs), 20),
        failing: () => rough(() => random.chance(drawn.failureRate), false),
        dooms: () => rough(() => random.chance(drawn.failureRate / 2), false),
        equipMs: () => rough(() => random.int(0, 3000), 1),
      },
      ordinalOf: (benchmark, item_id, epoch) => ordinals.get(`${benchmark} ${item_id} ${epoch}`)!,
      onCall(execution) {
        state.calls++
        return invariants.onCall(execution, widths[n]!, drawn.rateLimit)
      },
      onWork(execution) {
        invariants.onWork(execution)
        return seats.onWork(execution)
      },
      onKilled: (life) => seats.onKilled(life),
      onUnheard(life) {
        for (const execution of ledger.executions) if (execution.agent === life) execution.lost = true
      },
    }),
  )
  return { random, drawn, clock, spec, invariants, state, database, network, fleet, run, programs }
}
type World = ReturnType<typeof buildWorld>

/** Something goes wrong, or somebody wants something else. */
function fault({ random, drawn, clock, state, network, fleet, run, programs }: World, viewer: { cut(): void }): void {
  const program: Program = random.pick(programs)
  const awayMs = random.int(500, 45_000)
  const kinds = ['kill', 'power', 'freeze', 'cut', 'drain', 'object', 'evict', 'fleet', 'database', 'command', 'viewer'] as const
  const kind = random.pick(kinds)
  const back = (): void => void clock.after(awayMs, () => !program.isRunning() && program.start())
  if (kind === 'kill' || kind === 'power') {
    state.kills++
    program.kill(kind === 'power')
    back()
  } else if (kind === 'freeze') {
    program.freeze()
    clock.after(random.int(500, 90_000), () => program.thaw())
  } else if (kind === 'cut') program.cutOne()
  else if (kind === 'drain') {
    program.drain()
    clock.after(drainMs + awayMs, () => !program.isRunning() && program.start())
  } else if (kind === 'object') {
    state.kills++
    run.crash(random.int(100, 5000))
    state.bootedMs = clock.now() + 5000
    viewer.cut()
  } else if (kind === 'evict') {
    run.evict()
    viewer.cut()
  } else if (kind === 'fleet') {
    state.kills++
    if (random.chance(0.5)) fleet.crash(random.int(100, 5000))
    else fleet.evict()
  } else if (kind === 'database') {
    state.databaseUp = false
    clock.after(awayMs, () => (state.databaseUp = true))
  } else if (kind === 'command' || isTerminal(run.head()?.status ?? 'queued')) {
    const commands = ['pause', 'resume', 'retry_failed', 'resume', ...(drawn.cancels ? ['cancel' as const] : [])] as const
    run.command({ type: random.pick(commands) })
  } else viewer.cut()
  void network
}

/** Plays one seed: faults for `steps` events, then quiet until the run must have converged. */
export async function playWorld(seed: number, steps: number): Promise<WorldResult> {
  return play(buildWorld(seed), seed, steps)
}

async function play(world: World, seed: number, steps: number): Promise<WorldResult> {
  const { random, drawn, clock, spec, invariants, state, database, network, fleet, run, programs } = world
  database.runs.set(spec.run_id, { spec, head: initialHead(spec), trials: new Map(), events: new Map(), openings: new Map() })
  // In every fifth world whoever creates the run is cut off between the record and its object.
  if (seed % 5 !== 0) void run.create(spec)
  const viewer = createViewer(clock, random, run, database, spec.run_id, (seen) => run.head() && invariants.onViewed(seen, run.head()!))
  const strike = (): void => {
    if (state.quiet) return
    fault(world, viewer)
    clock.after(random.int(1, drawn.faultEveryMs), strike)
  }
  const look = (): void => {
    const head = run.head()
    if (head && run.isUp()) invariants.look(head, clock.now() - state.bootedMs)
    fleet.look()
    clock.after(500, look)
  }
  for (const program of programs) program.start()
  clock.after(1000, strike)
  look()
  let events = 0
  const step = async (): Promise<boolean> => invariants.breaches.length === 0 && (await clock.step()) && ++events > 0
  while (events < steps && (await step()));
  // At a moment of its own: what follows from it at once must not be seen at that of the next event.
  clock.after(0, () => calm(world))
  // A limited key takes its time, however healthy everything is.
  const throttled = drawn.rateLimit === null ? 0 : (6 * 1000 * (drawn.trials + 80)) / drawn.rateLimit
  const deadline = clock.now() + 4 * leaseMs + drainMs + throttled
  const most = events + 20 * steps
  const over = (): boolean => isTerminal(database.runs.get(spec.run_id)!.head.status)
  while (events < most && clock.now() < deadline && !over() && (await step()));
  const settled = clock.now() + 80_000
  while (events < most && clock.now() < settled && (await step()));
  const head = run.head() ?? initialHead(spec)
  if (invariants.breaches.length === 0) invariants.atEnd(head, spec, database, network.held(run.listener))
  return { seed, events, breaches: invariants.breaches, status: head.status, kills: state.kills, calls: state.calls }
}

/** From here on nothing goes wrong any more, and whoever wants his result raises the budget. */
function calm({ state, programs, run, clock, random }: World): void {
  state.quiet = true
  state.databaseUp = true
  for (const program of programs) {
    if (!program.isRunning()) program.start()
    program.thaw()
  }
  const want = (): void => {
    const head = run.head()
    if (!run.isUp() || !head || isTerminal(head.status)) return void clock.after(1000, want)
    if (head.budget_usd !== null) run.command({ type: 'set_budget', budget_usd: ampleUsd })
    if (head.status === 'paused') run.command({ type: 'resume' })
    clock.after(random.int(1000, 2000), want)
  }
  want()
}
