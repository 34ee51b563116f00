import type { PlannedBenchmark, RunSpec } from '../contract/run.ts'

/** A run as the fleet sees it while it has work to hand out. */
export type MatchRun = {
  run_id: string
  owner_id: string
  /** Who may know of it; absent in rows from before it was kept. */
  visibility?: RunSpec['visibility']
  priority: number
  created_at: string
  needs: readonly string[]
  open: number
  concurrency: number
}
export type MatchAgent = { session: string; capabilities: readonly string[]; slots: number }
export type Assignment = { run_id: string; slots: number }

/**
 * Which agent works on which run: higher priority first, then owners in turn (fair share), then age. An agent is given only runs whose needs
 * it can meet. No run gets more slots than its concurrency or its open trials; slots of one run are spread over agents with room.
 */
export function matchFleet(runs: readonly MatchRun[], agents: readonly MatchAgent[]): Map<string, Assignment[]> {
  const free = new Map(agents.map((agent) => [agent.session, agent.slots]))
  const given = new Map<string, Map<string, number>>(agents.map((agent) => [agent.session, new Map()]))
  for (const priority of [...new Set(runs.map((run) => run.priority))].sort((a, b) => b - a)) {
    share(
      runs.filter((run) => run.priority === priority && run.open > 0),
      agents,
      free,
      given,
    )
  }
  return new Map([...given].map(([session, slots]) => [session, [...slots].map(([run_id, count]) => ({ run_id, slots: count }))]))
}

/** Deals slots in rounds: one owner after the other, within an owner the run with fewest slots (then the oldest) first. */
function share(runs: MatchRun[], agents: readonly MatchAgent[], free: Map<string, number>, given: Map<string, Map<string, number>>): void {
  const slots = new Map(runs.map((run) => [run.run_id, 0]))
  const wanted = (run: MatchRun): number => Math.min(run.concurrency, run.open) - slots.get(run.run_id)!
  const owners = [...new Set([...runs].sort(byAge).map((run) => run.owner_id))]
  const stuck = new Set<string>()
  for (let dealt = true; dealt; ) {
    dealt = false
    for (const owner of owners) {
      const mine = runs.filter((run) => run.owner_id === owner && !stuck.has(run.run_id) && wanted(run) > 0)
      const run = mine.sort((a, b) => slots.get(a.run_id)! - slots.get(b.run_id)! || byAge(a, b))[0]
      if (!run) continue
      const agent = roomiest(run, agents, free)
      if (!agent) {
        stuck.add(run.run_id)
        dealt = true
        continue
      }
      const step = Math.max(1, Math.min(8, wanted(run), Math.floor(free.get(agent.session)! / 8)))
      free.set(agent.session, free.get(agent.session)! - step)
      slots.set(run.run_id, slots.get(run.run_id)! + step)
      const row = given.get(agent.session)!
      row.set(run.run_id, (row.get(run.run_id) ?? 0) + step)
      dealt = true
    }
  }
}

const byAge = (a: MatchRun, b: MatchRun): number =>
  a.created_at < b.created_at ? -1 : a.created_at > b.created_at ? 1 : a.run_id < b.run_id ? -1 : 1

function roomiest(run: MatchRun, agents: readonly MatchAgent[], free: Map<string, number>): MatchAgent | undefined {
  return agents
    .filter((agent) => free.get(agent.session)! > 0 && run.needs.every((need) => agent.capabilities.includes(need)))
    .sort((a, b) => free.get(b.session)! - free.get(a.session)! || (a.session < b.session ? -1 : 1))[0]
}

/**
 * What an agent must have to work on this run: a way to its provider, with a key of its own or with the one the owner brings, and to
 * its judges' providers. The owner's key opens the provider it belongs to, for the judge too.
 */
export function needsOf(spec: Pick<RunSpec, 'model' | 'own_credential'> & { benchmarks?: Pick<PlannedBenchmark, 'judge'>[] }): string[] {
  const own = spec.own_credential ? spec.model.provider : null
  const judges = (spec.benchmarks ?? []).flatMap(({ judge }) => judge?.model.provider ?? [])
  const ways = [spec.model.provider, ...judges].map((provider) => `${provider === own ? 'own-key' : 'provider'}:${provider}`)
  return ['llm', ...new Set(ways)]
}
