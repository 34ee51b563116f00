import type { PlannedBenchmark } from '#shared/contract/run.ts'
import type { Lease } from '#shared/contract/trial.ts'
import { type Share, slotsOf } from '#shared/run/match/fleet.ts'
import { needsIn } from '#shared/run/match/match-run.ts'

/** Trials that take longer as a rule are not claimed ahead, in seconds: another agent could begin them. */
const longSeconds = 60

/** A share of a run: what was claimed for it and not begun, and how many of its trials are at work. */
type Lane = { share: Share; queue: Lease[]; working: number }

/** What an agent has claimed of a run and not begun, by its shares: each has slots of its own, so that none waits for another's. */
export function createWorkQueue(slots: number) {
  let lanes: Lane[] = [{ share: { benchmarks: [], slots }, queue: [], working: 0 }]
  const byBenchmark = new Map<string, Lane | undefined>()
  const working = new Map<string, number>()

  const laneOf = (benchmark: string): Lane | undefined => {
    if (!byBenchmark.has(benchmark)) {
      const named = lanes.find(({ share }) => share.benchmarks.includes(benchmark))
      byBenchmark.set(benchmark, named ?? lanes.find(({ share }) => share.benchmarks.length === 0))
    }
    return byBenchmark.get(benchmark)
  }
  const count = (benchmark: string, step: 1 | -1): void => {
    working.set(benchmark, (working.get(benchmark) ?? 0) + step)
    const lane = laneOf(benchmark)
    if (lane) lane.working += step
  }

  return {
    slots: () => slotsOf(lanes.map(({ share }) => share)),
    /** Slots of the shares that have any of these benchmarks. */
    slotsFor: (benchmarks: readonly string[]): number =>
      slotsOf(lanes.map(({ share }) => share).filter((share) => benchmarks.some((name) => isOf(share, name)))),
    /** Takes leases in; gives those that no share is for any more. */
    add(leases: readonly Lease[]): Lease[] {
      const lost: Lease[] = []
      for (const lease of leases) (laneOf(lease.benchmark)?.queue ?? lost).push(lease)
      return lost
    },
    /** Works by these shares from now on; gives what this agent will not get to soon. */
    assign(shares: readonly Share[]): Lease[] {
      const waiting = lanes.flatMap(({ queue }) => queue)
      lanes = shares.map((share) => ({ share, queue: [], working: 0 }))
      byBenchmark.clear()
      for (const [benchmark, at_work] of working) {
        const lane = laneOf(benchmark)
        if (lane) lane.working += at_work
      }
      const late: Lease[] = []
      for (const lease of waiting) {
        const lane = laneOf(lease.benchmark)
        if (lane && lane.queue.length < Math.max(lane.share.slots, 4)) lane.queue.push(lease)
        else late.push(lease)
      }
      return late
    },
    /** The next trial that its share has a slot for, begun; undefined when there is none. */
    begin(): Lease | undefined {
      const next = lanes.find(({ share, queue, working: at_work }) => queue.length > 0 && at_work < share.slots)?.queue.shift()
      if (next) count(next.benchmark, 1)
      return next
    },
    ended: ({ benchmark }: Lease): void => count(benchmark, -1),
    /** Gives everything back that was not begun. */
    clear: (): Lease[] => lanes.flatMap(({ queue }) => queue.splice(0)),
    /**
     * What is to be claimed next, when at most `width` trials may be at work: short trials ahead, twice as many as there are slots; long ones when
     * a slot is free. Shares in `asked` are not looked at.
     */
    wanted(
      width: number,
      planned: readonly Pick<PlannedBenchmark, 'name' | 'needs'>[],
      asked: Pick<ReadonlySet<Share>, 'has'>,
    ): { share: Share; count: number } | undefined {
      for (const { share, queue, working: at_work } of lanes) {
        if (asked.has(share)) continue
        const own = Math.min(share.slots, width)
        const long = planned.some((one) => isOf(share, one.name) && needsIn(one).typical_seconds > longSeconds)
        const room = (long ? own : 2 * Math.max(own, 4)) - queue.length - at_work
        if (room >= Math.max(1, long ? 1 : own / 2)) return { share, count: room }
      }
      return undefined
    },
  }
}

const isOf = ({ benchmarks }: Share, name: string): boolean => benchmarks.length === 0 || benchmarks.includes(name)
