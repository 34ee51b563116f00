import { type Mutant, toMutant } from './operators.ts'

/** A bug that once stayed unnoticed, planted by name: `find` stands exactly once in the file. */
export type Named = { name: string; path: string; find: string; replace: string }

export const named: readonly Named[] = [
  {
    name: 'a parked run is not woken at its time',
    path: 'shared/run/wake.ts',
    find: 'if (head.parked?.until)',
    replace: 'if (false && head.parked?.until)',
  },
  {
    name: 'exactly the allowed share of failures makes a benchmark incomplete',
    path: 'shared/run/end-status.ts',
    find: 'failed / total > max_failure_share',
    replace: 'failed / total >= max_failure_share',
  },
  {
    name: 'an owner’s oldest run gets everything',
    path: 'shared/run/match/deal.ts',
    find: 'createHeap(mine, (a, b) => a.given < b.given || (a.given === b.given && comesBefore(a, b)))',
    replace: 'createHeap(mine, comesBefore)',
  },
  {
    name: 'what was given before is forgotten at every match',
    path: 'shared/run/match/match-fleet.ts',
    find: 'const stay = keep(runs, agents, before)',
    replace: 'const stay = keep(runs, agents, new Map())',
  },
  {
    name: 'a newcomer takes more than its fair share',
    path: 'shared/run/match/balance.ts',
    find: 'Math.min(held, surplus, lack, roomFor(part, to))',
    replace: 'Math.min(held, surplus, roomFor(part, to))',
  },
  {
    name: 'every change is matched at once',
    path: 'edge/fleet/pace.ts',
    find: 'if (spare >= 1) return begin()',
    replace: 'return begin()',
  },
  {
    name: 'a sandbox is given to an agent that has not proved it',
    path: 'shared/contract/resources.ts',
    find: 'proofs.filter(({ ok }) => ok)',
    replace: 'proofs',
  },
  { name: 'the wait for the database does not grow', path: 'edge/run/drain.ts', find: '2 ** failures', replace: '2 ** 1' },
  { name: 'a viewer that has not read is written to', path: 'edge/run/viewers.ts', find: 'if (viewer.busy) continue', replace: '' },
  {
    name: 'a draining agent is given runs',
    path: 'edge/fleet/roster.ts',
    find: 'if (member.sign.draining || isGivenUp(member, nowMs)) return undefined',
    replace: 'if (isGivenUp(member, nowMs)) return undefined',
  },
  {
    name: 'an ended run is kept by the fleet',
    path: 'edge/fleet/fleet-shell.ts',
    find: 'this.#runs.delete(run.run_id)',
    replace: '',
  },
  {
    name: 'open runs of the record are not looked up',
    path: 'edge/fleet/reconciler.ts',
    find: 'if (!isDue(idle, nowMs)) return',
    replace: 'return',
  },
  {
    name: 'a replaced socket keeps its identity',
    path: 'edge/run/agent-socket.ts',
    find: 'other.serializeAttachment(null)',
    replace: '',
  },
  {
    name: 'an alarm is not armed before its work',
    path: 'edge/run/run-shell.ts',
    find: 'await this.#wakeUp.rearm(clock.now())',
    replace: '',
  },
  {
    name: 'the record is not told that a run goes on',
    path: 'edge/run/run-shell.ts',
    find: 'if (ended) await this.#settle(await this.#drain.run(drainSliceMs))',
    replace: '',
  },
  {
    name: 'more work is taken while nothing is acknowledged',
    path: 'fleet/run-worker.ts',
    find: 'coordinator!.backlog() >= mostUnacknowledged',
    replace: 'false',
  },
  {
    name: 'the concurrency of a run is not looked at when trials are claimed',
    path: 'shared/run/seats.ts',
    find: 'Math.max(0, head.concurrency - taken)',
    replace: 'head.concurrency',
  },
  {
    name: 'a run is halted twice',
    path: 'fleet/run-worker.ts',
    find: `if (state.status === 'paused') return\n    state`,
    replace: 'state',
  },
  {
    name: 'an agent keeps runs that were withdrawn',
    path: 'fleet/agent.ts',
    find: 'else worker.letGo()',
    replace: '',
  },
  {
    name: 'an agent drains without saying so',
    path: 'fleet/agent.ts',
    find: 'draining = true\n    beat()',
    replace: 'draining = true',
  },
  {
    name: 'a refused agent ends as if it had drained',
    path: 'fleet/serve-agent.ts',
    find: `return end.type === 'drained' ? 0 : 1`,
    replace: 'return 0',
  },
  {
    name: 'a wake-up is set although an earlier one stands',
    path: 'edge/run/wake-up.ts',
    find: 'if (wakeMs === null || wakeMs >= at) return',
    replace: 'if (wakeMs === null) return',
  },
]

/** The named bug in the file as it stands. @throws Error when its text is not there exactly once. */
export function toNamed({ name, path, find, replace }: Named, source: string): Mutant {
  const start = source.indexOf(find)
  if (start === -1 || source.indexOf(find, start + 1) !== -1)
    throw new Error(`${path}: the mutant "${name}" wants exactly one place that reads ${JSON.stringify(find)}`)
  return toMutant(path, source, 'named', start, start + find.length, replace)
}
