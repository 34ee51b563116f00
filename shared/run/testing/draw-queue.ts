import { type PaceSource, paceKey } from '../expect-paces.ts'
import type { MatchPart, MatchRun } from '../match/fleet.ts'
import { addTrial, fitPace, noPace, type Pace } from '../pace.ts'
import { profile, type Queue, type QueuedAgent, type QueuedBenchmark, type QueuedRun } from './play-queue.ts'
import { agent, part, pool, run, sandbox } from './test-fleet.ts'

/**
 * Kinds of simulated queues. `calls`, `sandboxes` and `machines`: runs of one sort; `mixed`: runs with parts of all three; `overtaken`: runs of
 * higher priority come while others are at work; `changing`: agents join and leave meanwhile. The last two are of calls.
 */
export const queueKinds = ['calls', 'sandboxes', 'machines', 'mixed', 'overtaken', 'changing'] as const
export type QueueKind = (typeof queueKinds)[number]

type Sort = 'calls' | 'sandboxes' | 'machines'
type Random = () => number
/**
 * A benchmark of a simulated world. `median_s` is its usual time; `law` draws the time of one trial as a factor of the median, and `unit` is
 * what a forecast could know of that law.
 */
type Known = {
  name: string
  sort: Sort
  items: number
  median_s: number
  law(random: Random): number
  unit: Pace
  bound: Pick<MatchPart, 'alone' | 'at_once'>
}

/** Medians are drawn between the times that the catalogue's cards call typical, in seconds; sizes are those of its benchmarks. */
const sorts = {
  calls: { seconds: [10, 180], sizes: [30, 90, 100, 114, 198, 300, 541, 2158], deal_s: 5 },
  sandboxes: { seconds: [30, 300], sizes: [31, 65, 338, 1055], deal_s: 5 },
  machines: { seconds: [300, 1800], sizes: [47, 89, 114, 731], deal_s: 30 },
} as const
/** Standard deviations of logarithms: a model's speed, a model on one benchmark, one run to the next as a whole and by benchmark. */
const between = { models: 0.6, pairs: 0.25, runs: 0.15, benchmarks: 0.1 }
/** Part of the models that ran before, and part of the benchmarks that each of these ran. */
const ranBefore = { models: 0.5, benchmarks: 0.9 }

/** mulberry32: numbers from 0 to 1, the same for the same seed. */
export function randomOf(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The kinds take turns by seed. */
export const kindOf = (seed: number): QueueKind => queueKinds[seed % queueKinds.length]!

/** Draws the queue of a seed: the same seed draws the same queue, with the same times of its trials. */
export function drawQueue(seed: number): Queue {
  const kind = kindOf(seed)
  const random = randomOf(seed)
  const sort = kind === 'overtaken' || kind === 'changing' ? 'calls' : kind
  const world = drawWorld(sort === 'mixed' ? ['calls', 'sandboxes', 'machines'] : [sort], random)
  const fleet = Array.from({ length: among(random, kind === 'changing' ? 2 : 1, 4) }, (_, n) => drawAgent(n, random))
  const first = kind === 'overtaken' ? among(random, 2, 5) : among(random, 1, 8)
  const runs = Array.from({ length: first }, (_, n) => drawRun(n, n === 0 ? 0 : among(random, 0, 300), world, kind, random))
  const work_s = runs.reduce(
    (sum, { benchmarks }) => sum + benchmarks.reduce((all, { name, trials }) => all + trials * world.usual_s(name), 0),
    0,
  )
  const about_s = work_s / fleet.reduce((sum, { agent: { slots } }) => sum + slots, 0)
  const deal_s = Math.max(...world.benchmarks.map(({ sort }) => sorts[sort].deal_s))
  if (kind === 'overtaken')
    for (let n = first; n < first + among(random, 1, 3); n++) {
      const late = drawRun(n, random() * about_s, world, kind, random)
      runs.push({ ...late, run: { ...late.run, priority: 2 } })
    }
  const agents = kind === 'changing' ? changeFleet(fleet, about_s, random) : fleet
  return { runs, agents, kept: world.kept, deal_s }
}

const among = (random: Random, low: number, high: number): number => low + Math.floor(random() * (high - low + 1))
const pick = <T>(random: Random, values: readonly T[]): T => values[Math.floor(random() * values.length)]!

/** A standard normal value (Box and Muller). */
const normal = (random: Random): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

/**
 * Laws of the time of a trial: log-normal; the same with a time limit that ends the long ones; a mixture where some trials end early; and
 * the sum of a few exponential steps, as of an episode.
 */
function drawLaw(random: Random): Known['law'] {
  const spread = 0.3 + 0.6 * random()
  const shape = random()
  const usual = (random: Random): number => Math.exp(spread * normal(random))
  if (shape < 0.4) return usual
  const limit = 2 + 2 * random()
  if (shape < 0.6) return (random) => Math.min(limit, usual(random))
  const early = 0.1 + 0.2 * random()
  if (shape < 0.8) return (random) => (random() < early ? 0.2 : 1) * usual(random)
  const steps = among(random, 2, 8)
  return (random) => Array.from({ length: steps }, () => -Math.log(1 - random())).reduce((sum, one) => sum + one, 0) / steps
}

/** A law as a fit of very many trials has it; of random numbers of its own. */
function unitOf(law: Known['law']): Pace {
  const random = randomOf(1)
  return fitPace(Array.from({ length: 2000 }, () => law(random)).reduce(addTrial, noPace))!
}

type World = ReturnType<typeof drawWorld>

/** Four benchmarks of each sort, four models, and the paces that earlier runs of some of them left. */
function drawWorld(of: readonly Sort[], random: Random) {
  const benchmarks = of.flatMap((sort) =>
    Array.from({ length: 4 }, (_, n): Known => {
      const [shortest, longest] = sorts[sort].seconds
      const median_s = shortest * (longest / shortest) ** random()
      const bounded = random()
      const bound = bounded < 0.08 ? { alone: false, at_once: 5 } : { alone: bounded < 0.1 && sort === 'sandboxes' }
      const law = drawLaw(random)
      return { name: `${sort}-${n}`, sort, items: pick(random, sorts[sort].sizes), median_s, law, unit: unitOf(law), bound }
    }),
  )
  const models = ['ada', 'bee', 'cat', 'dog']
  const speeds = new Map<string, number>()
  for (const model of models) {
    const own = between.models * normal(random)
    for (const { name } of benchmarks) speeds.set(`${model} ${name}`, Math.exp(own + between.pairs * normal(random)))
  }
  /** Draws the times of one run's trials: a run is quicker or slower than the model's others as a whole and by benchmark. */
  const timesOf = (model: string): ((name: string) => Pick<QueuedBenchmark, 'seconds' | 'truth'>) => {
    const whole = between.runs * normal(random)
    const own = new Map(benchmarks.map(({ name }) => [name, Math.exp(whole + between.benchmarks * normal(random))]))
    return (name) => {
      const { median_s, law, unit } = benchmarks.find((one) => one.name === name)!
      const median = median_s * speeds.get(`${model} ${name}`)! * own.get(name)!
      return { seconds: () => median * law(random), truth: { ...unit, seconds: median * unit.seconds } }
    }
  }
  const kept = models
    .filter(() => random() < ranBefore.models)
    .map((model): PaceSource => {
      const times = timesOf(model)
      const ran = benchmarks.filter(() => random() < ranBefore.benchmarks)
      const paces = ran.map(({ name }): [string, Pace] => {
        const sums = Array.from({ length: among(random, 20, 200) }, times(name).seconds).reduce(addTrial, noPace)
        return [paceKey({ name, profile }), fitPace(sums)!]
      })
      return { model, paces: new Map(paces) }
    })
  const usual_s = (name: string): number => benchmarks.find((one) => one.name === name)!.median_s
  return { benchmarks, models, timesOf, kept, usual_s }
}

/** A run of one to three benchmarks; one of a mixed queue has one or two of each sort that it draws. */
function drawRun(n: number, arrives_s: number, world: World, kind: QueueKind, random: Random): QueuedRun {
  const model = pick(random, world.models)
  const times = world.timesOf(model)
  const subset = random() < 0.5 ? 1 : 0.1 * 10 ** random() // of every benchmark alike
  const chosen = chooseBenchmarks(world.benchmarks, kind, random)
  const benchmarks = chosen.map(({ name, items }): QueuedBenchmark => {
    return { name, trials: Math.max(10, Math.round(subset * items)), ...times(name) }
  })
  const created_at = new Date(1_800_000_000_000 + arrives_s * 1000).toISOString()
  const more: Partial<MatchRun> = {
    ...{ owner_id: pick(random, ['ann', 'ben', 'cid']), priority: random() < 0.15 ? 1 : 0 },
    ...{ concurrency: random() < 0.5 ? 64 : among(random, 8, 64), created_at, parts: partsOf(chosen) },
  }
  return { run: run(`run-${n}`, more), model, arrives_s, benchmarks }
}

function chooseBenchmarks(all: readonly Known[], kind: QueueKind, random: Random): Known[] {
  const draw = (of: readonly Known[], count: number): Known[] => {
    const left = [...of]
    return Array.from({ length: count }, () => left.splice(Math.floor(random() * left.length), 1)[0]!)
  }
  if (kind !== 'mixed') return draw(all, among(random, 1, 3))
  const sortsOf = draw(all, 3).map(({ sort }) => sort)
  return [...new Set(sortsOf)].flatMap((sort) =>
    draw(
      all.filter((one) => one.sort === sort),
      among(random, 1, 2),
    ),
  )
}

const sandboxes: Record<Sort, MatchPart['sandbox']> = {
  calls: null,
  sandboxes: sandbox({ kinds: ['bwrap', 'docker'], cpus: 1, memory_mb: 1024, disk_mb: 1000 }),
  machines: sandbox({ kinds: ['machine'], cpus: 2, memory_mb: 4096, disk_mb: 10_000 }),
}

/** The parts of a run, as `matchRunOf` makes them: what needs the same is one part; a bounded benchmark is a part of its own. */
function partsOf(chosen: readonly Known[]): MatchPart[] {
  const alike = new Map<string, Known[]>()
  for (const one of chosen) {
    const key = one.bound.at_once === undefined ? `${one.sort} ${one.bound.alone}` : one.name
    alike.set(key, [...(alike.get(key) ?? []), one])
  }
  return [...alike.values()].map((of) =>
    part({
      ...{ benchmarks: of.map(({ name }) => name), open: 0, sandbox: sandboxes[of[0]!.sort], ...of[0]!.bound },
      typical_seconds: Math.max(...of.map(({ median_s }) => median_s)),
    }),
  )
}

/** An agent that stays: calls, and a machine with processors for sandboxes of every kind. */
function drawAgent(n: number, random: Random): QueuedAgent {
  const kinds = ['bwrap', 'docker', 'machine'] as const
  const drawn = agent(`agent-${n}`, among(random, 8, 48), { sandboxes: [pool(among(random, 4, 32), { kinds: [...kinds] })] })
  return { agent: drawn, joins_s: 0, leaves_s: Number.POSITIVE_INFINITY, killed: false }
}

/** One to three changes within the time that the first runs take: an agent joins, is drained or is killed. The first one stays. */
function changeFleet(fleet: readonly QueuedAgent[], about_s: number, random: Random): QueuedAgent[] {
  const agents = [...fleet]
  for (let change = among(random, 1, 3); change > 0; change--) {
    const at_s = random() * about_s
    const leaver = among(random, 1, fleet.length - 1)
    if (random() < 0.5) agents.push({ ...drawAgent(agents.length, random), joins_s: at_s })
    else agents[leaver] = { ...agents[leaver]!, leaves_s: at_s, killed: random() < 0.5 }
  }
  return agents
}
