import type { Gathering } from '../composite/gathering.ts'
import type { CompositeReading } from '../contract/composite.ts'
import { compositeOf, intelligence, officialWeights, type PartName, partNames } from './composite.ts'
import { type Drawn, spreads } from './jackknife.ts'
import { versionOf } from './profiles.ts'
import { type JanusResult, resultOf } from './result.ts'
import type { Version } from './score/phrases.ts'

const titles: Readonly<Record<PartName, string>> = {
  quality: 'Quality',
  speed: 'Speed',
  cost: 'Cost',
  streaming: 'Streaming',
  multimodal: 'Multimodal',
}

/** What each part is computed from. */
const sources: Readonly<Record<PartName, readonly string[]>> = {
  quality: ['janus_research', 'janus_tool_use'],
  speed: ['janus_streaming'],
  cost: ['janus_cost'],
  streaming: ['janus_streaming'],
  multimodal: ['janus_multimodal'],
}

const readings: Readonly<Record<Version, string>> = { v1: 'Official formulas', v2: 'Mended formulas' }

/** The composite of the competition by both readings, that of the run's own profile first. */
export function gatherJanus(profiles: readonly string[]): Gathering {
  const own = versionOf(profiles[0] ?? '')
  const order: Version[] = own === 'v1' ? ['v1', 'v2'] : ['v2', 'v1']
  const drawn: Record<Version, Drawn<JanusResult>[]> = { v1: [], v2: [] }
  return {
    add(record) {
      const { benchmark: stratum, item_id: cluster } = record
      for (const version of order) drawn[version].push({ stratum, cluster, one: resultOf(record, version) })
    },
    composite: () => ({ title: 'Janus composite', readings: order.map((version) => readingOf(drawn[version], version)) }),
  }
}

const share = (score: number | null): number | null => (score === null ? null : score / 100)

/** Intervals take items as drawn from more of their kind, each benchmark by itself. */
function readingOf(drawn: readonly Drawn<JanusResult>[], version: Version): CompositeReading {
  const of = (results: readonly JanusResult[]) => {
    if (results.length === 0) return [null, ...partNames.map(() => null)]
    const { composite, parts } = compositeOf(results, version)
    return [share(composite), ...partNames.map((name) => share(parts[name]))]
  }
  const spread = spreads(drawn, of)
  const { benchmarks } = compositeOf(
    drawn.map(({ one }) => one),
    version,
  )
  const [whole, ...each] = of(drawn.map(({ one }) => one))
  const absentOf = (names: readonly string[]) => names.filter((name) => !Object.hasOwn(benchmarks, name))
  const parts = partNames.map((name, index) => {
    const ran = sources[name].flatMap((source) => benchmarks[source] ?? [])
    return {
      name,
      title: titles[name],
      weight: officialWeights[name],
      ...spread.limits(each[index] ?? null, index + 1, sources[name]),
      n: ran.reduce((sum, { results }) => sum + results, 0),
      failed: ran.reduce((sum, { failed }) => sum + failed, 0),
      benchmarks: [...sources[name]],
      absent: absentOf(sources[name]),
    }
  })
  const counts = { n: drawn.length, failed: drawn.filter(({ one }) => one.failed).length }
  return { id: version, title: readings[version], ...spread.limits(whole ?? null, 0, intelligence), ...counts, parts }
}
