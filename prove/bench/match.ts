import { parseArgs } from 'node:util'
import type { MatchRun } from '#shared/run/match/fleet.ts'
import { joinFleet, type Listener, type Slots, startFleet } from './match-fleet.ts'
import { canMeasure, costOf } from './process-cost.ts'

const usage = `npm run bench -- match [options]

  --agents 1000       agents, each with a heartbeat every ten seconds
  --runs 750          runs, each saying twice a minute where it stands
  --concurrency 256   of each run; every fifth has a tenth of it
  --slots 256         of each agent
  --seconds 60        length of the measurement; every five seconds an agent leaves and another comes, every second a run ends and another begins`

const options = {
  agents: { type: 'string', default: '1000' },
  runs: { type: 'string', default: '750' },
  concurrency: { type: 'string', default: '256' },
  slots: { type: 'string', default: '256' },
  seconds: { type: 'string', default: '60' },
} as const

const nextRun = (n: number, concurrency: number): MatchRun & { open: number } => ({
  run_id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
  owner_id: `owner-${n % 60}`,
  visibility: 'private',
  priority: n % 97 === 0 ? 1 : 0,
  created_at: new Date(1_700_000_000_000 + n * 1000).toISOString(),
  needs: ['llm'],
  concurrency: n % 5 === 0 ? Math.ceil(concurrency / 10) : concurrency,
  open: 10_000,
  parts: [{ benchmarks: ['mmlu_pro'], open: 10_000, sandbox: null, alone: false, typical_seconds: 20 }],
})

/** What matching costs one fleet's object while heartbeats, runs and agents come and go, and how much work it moves about. */
export async function match(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options })
  const [agents, count, concurrency, slots, seconds] = [values.agents, values.runs, values.concurrency, values.slots, values.seconds].map(
    Number,
  )
  if (!canMeasure || ![agents, count, concurrency, slots, seconds].every((value) => Number.isInteger(value) && value! >= 1)) {
    console.error(canMeasure ? usage : 'This machine does not tell what processes cost: Linux does.')
    return 2
  }
  const fleet = await startFleet()
  const tally = { moved: 0, assigned: 0, bytes: 0 }
  const open = new Map<string, MatchRun>()
  const onAssign = (before: Slots, next: Slots, bytes: number): void => {
    tally.assigned++
    tally.bytes += bytes
    for (const [run_id, had] of before) if (open.has(run_id)) tally.moved += Math.max(0, had - (next.get(run_id) ?? 0))
  }
  let named = 0
  const join = (): Promise<Listener> => joinFleet(fleet.url, `agent-${named++}`, slots!, onAssign)
  for (let n = 0; n < count!; n++) open.set(nextRun(n, concurrency!).run_id, nextRun(n, concurrency!))
  await fleet.update([...open.values()].map((run) => ({ run, ended: false })))
  const joined: Listener[] = []
  for (let n = 0; n < agents!; n += 50) joined.push(...(await Promise.all(Array.from({ length: Math.min(50, agents! - n) }, join))))
  for (let seen = -1; seen !== tally.assigned; ) {
    seen = tally.assigned
    await new Promise((resolve) => setTimeout(resolve, 4000)) // until all of them have been dealt with
  }
  const dealt = joined.reduce((sum, agent) => sum + [...agent.given().values()].reduce((all, one) => all + one, 0), 0)
  console.log(`${agents} agents × ${slots} slots, ${count} runs up to ${concurrency} wide: ${dealt} slots dealt`)

  Object.assign(tally, { moved: 0, assigned: 0, bytes: 0 })
  const cpu = (): number => fleet.pids().reduce((sum, pid) => sum + costOf(pid).cpu_us, 0)
  const [cpuBefore, queriesBefore, began] = [cpu(), fleet.record.queries, performance.now()]
  let fresh = count!
  let newcomer: { agent: Listener; fair: number } | undefined
  for (let tick = 0; tick < seconds! * 10; tick++) {
    const all = [...open.values()]
    const told = Array.from({ length: Math.ceil(count! / 300) }, (_, n) => ({ run: all[(tick * 3 + n) % all.length]!, ended: false }))
    if (tick % 10 === 0) {
      const [oldest] = all
      const run = nextRun(fresh++, concurrency!)
      open.delete(oldest!.run_id)
      open.set(run.run_id, run)
      told.push({ run: oldest!, ended: true }, { run, ended: false })
    }
    if (tick % 50 === 25) {
      joined.shift()!.leave()
      const agent = await join()
      joined.push(agent)
      newcomer = { agent, fair: dealt / agents! }
    }
    await fleet.update(told)
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, began + (tick + 1) * 100 - performance.now())))
  }
  const took = (performance.now() - began) / 1000
  const share = (cpu() - cpuBefore) / 1e6 / took
  const has = [...(newcomer?.agent.given().values() ?? [])].reduce((sum, one) => sum + one, 0)
  console.log(
    [
      `CPU of workerd: ${(100 * share).toFixed(1)} % of a core over ${took.toFixed(0)} s`,
      `slots moved between agents that stayed, of runs that stayed: ${tally.moved} (${(tally.moved / took).toFixed(1)}/s), while ${Math.floor(took / 5)} agents and ${Math.floor(took)} runs came and went`,
      `assignments told: ${(tally.assigned / took).toFixed(1)}/s, ${(tally.bytes / took / 1024).toFixed(1)} KiB/s; queries to the record: ${fleet.record.queries - queriesBefore}`,
      ...(newcomer ? [`the newest agent has ${has} slots; a fair share of the load is ${newcomer.fair.toFixed(0)}`] : []),
    ].join('\n'),
  )
  for (const agent of joined) agent.leave()
  await fleet.stop()
  return share < 0.2 ? 0 : 1
}
