import type { Forecast } from '#shared/contract/forecast.ts'
import type { Clock } from '#shared/run/clock.ts'
import type { MatchAgent, MatchRun } from '#shared/run/match/fleet.ts'
import type { RunProgress } from '#shared/telemetry/run-progress.ts'
import type { Sql } from '../run/run-storage.ts'
import { openForecasts } from './forecasts.ts'
import { type LoadSample, openLoadRing } from './load-ring.ts'
import type { Notes } from './notes.ts'
import { type Member, type Roster, toMatch } from './roster.ts'
import { createSandyAsks } from './sandy-asks.ts'
import type { Tallies } from './tallies.ts'

type Parts = { sql: Sql; clock: Clock; roster: Roster; runs: ReadonlyMap<string, MatchRun>; tallies: Tallies; notes: Notes }

/** What operators see of a fleet and do with it: forecasts, load over time, agents that are drained from here. */
export function openFleetOps({ sql, clock, roster, runs, tallies, notes }: Parts) {
  const now = (): number => clock.now()
  const forecasts = openForecasts(sql)
  const ring = openLoadRing(sql)
  let drained: Set<string> | undefined
  const held = (): Set<string> => {
    drained ??= new Set(JSON.parse(notes.find('drained')?.text ?? '[]') as string[]) // written by `drain`
    return drained
  }
  const isDrained = ({ known }: Pick<Member, 'known'>): boolean => held().has(known.agent_id)
  const load = (): Omit<LoadSample, 'at_ms'> => {
    const members = [...roster.members()].filter(({ socket }) => socket)
    const sum = (of: (member: Member) => number): number => members.reduce((all, one) => all + of(one), 0)
    const statuses = tallies.statuses()
    return {
      agents: members.length,
      slots: sum(({ known }) => known.slots),
      working: sum(({ sign }) => sign.running),
      running_runs: statuses.filter((status) => status === 'running').length,
      queued_runs: statuses.filter((status) => status === 'queued').length,
      by_agent: Object.fromEntries(members.map(({ known, sign }) => [known.agent_id, sign.running])),
      usage: Object.fromEntries(members.flatMap(({ known, sign }) => (sign.usage ? [[known.agent_id, sign.usage]] : []))),
    }
  }
  const ops = {
    sandy: createSandyAsks(roster, clock),
    /** Agents that take work now, as they are matched with runs. */
    takers: (nowMs: number): MatchAgent[] => [...roster.members()].flatMap((one) => (isDrained(one) ? [] : (toMatch(one, nowMs) ?? []))),
    isDrained,
    /** Something came in: the minute gets its sample. */
    look: (): void => ring.note(now(), load),
    tell: (progress: RunProgress): void => forecasts.tell(progress, now()),
    /** When these runs are expected to start and to end; one that has no work to hand out is left out. */
    forecast(run_ids: readonly string[]): Record<string, Forecast> {
      const nowMs = now()
      const served = new Set([...roster.members()].flatMap(({ given }) => given.map(({ run_id }) => run_id)))
      const queue = { runs: [...runs.values()], agents: ops.takers(nowMs), hasSlots: (run_id: string) => served.has(run_id) }
      const all = forecasts.make(queue, tallies.workOf, nowMs)
      return Object.fromEntries(run_ids.flatMap((run_id) => (all.has(run_id) ? [[run_id, all.get(run_id)!]] : [])))
    },
    /** Samples of the last minutes, oldest first, the last of them now. */
    load(minutes: number): LoadSample[] {
      ops.look()
      return ring.read(minutes, now())
    },
    /** Keeps new work from an agent's name, or lets it have work again; false when no such agent is connected. */
    drain(agent_id: string, on: boolean): boolean {
      const known = [...roster.members()].some((one) => one.known.agent_id === agent_id)
      if (!known && !(held().has(agent_id) && !on)) return false
      if (on) held().add(agent_id)
      else held().delete(agent_id)
      notes.keep('drained', JSON.stringify([...held()].sort()), now())
      return true
    },
  }
  return ops
}
export type FleetOps = ReturnType<typeof openFleetOps>
