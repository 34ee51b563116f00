import { averageStream } from './benchmark-metrics.ts'
import type { JanusResult } from './result.ts'
import type { Version } from './score/phrases.ts'
import { meanOrZero } from './score/ramp.ts'

/** What the composite is made of, in the order of the reports, and what each counts in per cent. */
export const partNames = ['quality', 'speed', 'cost', 'streaming', 'multimodal'] as const
export type PartName = (typeof partNames)[number]
export type Weights = Record<PartName, number>
export const officialWeights: Weights = { quality: 40, speed: 20, cost: 15, streaming: 15, multimodal: 10 }

/** The five benchmarks of the competition. */
export const intelligence = ['janus_research', 'janus_tool_use', 'janus_multimodal', 'janus_streaming', 'janus_cost'] as const

/**
 * A composite from 0 to 100 with its parts, which it never goes without. `parts` are null where their benchmarks were not run, `absent` names those. `composite`
 * is null where something is absent, officially never: there what is absent counts 0.
 */
export type Composite = {
  version: Version
  composite: number | null
  /** Over the parts that are there; the composite where all are. */
  of_present: number | null
  parts: Record<PartName, number | null>
  weights: Weights
  absent: string[]
  benchmarks: Record<string, { score: number; results: number; failed: number }>
}

/** 1 up to 500 ms, 0 from 5,000 ms on, linear between; null is 0. */
export const normalTtft = (ms: number | null): number =>
  ms === null || ms >= 5000 ? 0 : ms <= 500 ? 1 : Math.max(0, 1 - (ms - 500) / 4500)

/** 0 up to 5 tokens in a second, 1 from 30 on, linear between; null is 0. */
export const normalTps = (tps: number | null): number => (tps === null || tps <= 5 ? 0 : tps >= 30 ? 1 : Math.max(0, (tps - 5) / 25))

/**
 * The composite of results. Official: of the five benchmarks alone as the competition computes it, with fixed weights; of others, or mixed with them, as means of
 * all items. `v2`: the competition's way always, over the benchmarks that were run; failures count 0 in every part.
 */
export function compositeOf(results: readonly JanusResult[], version: Version, weights: Weights = officialWeights): Composite {
  const benchmarks = benchmarkScores(results)
  const absent = intelligence.filter((name) => !Object.hasOwn(benchmarks, name))
  const competing = results.filter(({ benchmark }) => (intelligence as readonly string[]).includes(benchmark))
  const mixed = version === 'v1' && (competing.length < results.length || competing.length === 0)
  const parts = mixed ? plainParts(results) : competitionParts(results, benchmarks, version)
  const used = version === 'v1' && !mixed ? officialWeights : weights
  const present = partNames.filter((name) => parts[name] !== null)
  const sum = (names: readonly PartName[], each: (name: PartName) => number): number => names.reduce((total, name) => total + each(name), 0)
  const weighted = sum(present, (name) => used[name] * parts[name]!)
  const counted = sum(present, (name) => used[name])
  const of_present = counted === 0 ? null : weighted / counted
  const whole = weighted / sum(partNames, (name) => used[name])
  const composite = results.length === 0 ? null : version === 'v1' ? whole : absent.length === 0 ? whole : null
  return {
    version,
    composite: times100(composite),
    of_present: times100(of_present),
    parts: mapped(parts),
    weights: used,
    absent: mixed ? [] : absent,
    benchmarks,
  }
}

const times100 = (value: number | null): number | null => (value === null ? null : value * 100)
const mapped = (parts: Record<PartName, number | null>): Record<PartName, number | null> =>
  Object.fromEntries(partNames.map((name) => [name, times100(parts[name])])) as Record<PartName, number | null> // every name

/** The main score of each benchmark from 0 to 100: of streaming and multimodal their own, of cost its efficiency, else quality. */
export function benchmarkScores(results: readonly JanusResult[]): Composite['benchmarks'] {
  const found: Composite['benchmarks'] = {}
  for (const name of [...new Set(results.map(({ benchmark }) => benchmark))]) {
    const own = results.filter(({ benchmark }) => benchmark === name)
    const failed = own.filter((result) => result.failed).length
    found[name] = { score: meanOrZero(own.map(mainOf)) * 100, results: own.length, failed }
  }
  return found
}

function mainOf({ benchmark, scores }: JanusResult): number {
  if (benchmark === 'janus_multimodal') return scores.multimodal
  if (benchmark === 'janus_streaming') return scores.streaming
  return benchmark === 'janus_cost' ? (scores.cost ?? 0) : scores.quality
}

/** Means over all items; without an item with pictures the official reading gives a full score for them. */
function plainParts(results: readonly JanusResult[]): Record<PartName, number | null> {
  const mean = (each: (result: JanusResult) => number): number => meanOrZero(results.map(each))
  const pictured = results.filter(({ benchmark, subtype }) => benchmark === 'janus_multimodal' || subtype === 'multimodal')
  return {
    quality: mean(({ scores }) => scores.quality),
    speed: mean(({ scores }) => scores.speed),
    cost: mean(({ scores }) => scores.cost ?? 0),
    streaming: mean(({ scores }) => scores.streaming),
    multimodal: pictured.length === 0 ? 1 : meanOrZero(pictured.map(({ scores }) => scores.multimodal)),
  }
}

function competitionParts(
  results: readonly JanusResult[],
  benchmarks: Composite['benchmarks'],
  version: Version,
): Record<PartName, number | null> {
  const score = (name: string): number | null => (benchmarks[name] ? benchmarks[name].score / 100 : null)
  const both = [score('janus_research'), score('janus_tool_use')]
  const known = both.filter((one) => one !== null)
  const quality = version === 'v1' ? ((both[0] ?? 0) + (both[1] ?? 0)) / 2 : known.length === 0 ? null : meanOrZero(known)
  const streamed = results.filter(({ benchmark }) => benchmark === 'janus_streaming')
  const stream = streamed.length === 0 ? null : averageStream(streamed, version)
  const absent = version === 'v1' ? 0 : null
  const answered =
    version === 'v1'
      ? 1
      : meanOrZero(streamed.map(({ stream: { first_token_received }, failed }) => (first_token_received && !failed ? 1 : 0)))
  return {
    quality,
    speed: stream ? (answered * (normalTtft(stream.avg_ttft_ms) + normalTps(stream.avg_tps))) / 2 : absent,
    cost: score('janus_cost') ?? absent,
    streaming: stream ? (stream.avg_continuity ?? score('janus_streaming')!) : absent,
    multimodal: score('janus_multimodal') ?? absent,
  }
}
