/** A bug planted on purpose by changing the text of what the service runs: a simulator that does not find it is no evidence. */
export type Planted = {
  name: string
  edits: readonly { path: string; find: string; replace: string }[]
  /** The first seed that is played for it: a bug that few worlds show is looked for near one that does. */
  from?: number
}

const one = (name: string, path: string, find: string, replace: string, from?: number): Planted => ({
  name,
  edits: [{ path, find, replace }],
  ...(from === undefined ? {} : { from }),
})

/** A viewer is told the events that are there, whatever came between. */
const nextOnly = { path: 'edge/run/viewers.ts', find: 'if (next[0]?.id !== viewer.sent + 1) {', replace: 'if (next.length === 0) {' }

/** Bugs of the run core, of rate limits, and those that measuring once found in the shells. */
export const planted: readonly Planted[] = [
  one(
    'drop-fence',
    'shared/run/decide.ts',
    'trial.attempt === brief.attempt && !isTerminal(turn.head.status)',
    '!isTerminal(turn.head.status)',
    39,
  ),
  one('forget-duplicates', 'shared/run/decide.ts', 'else if (open && current) {', 'else if (current) {', 2),
  one(
    'ack-before-commit',
    'edge/run/run-shell.ts',
    'answerFrame(frame, session, this.#live, this.#run, this.#ports.clock.now(), allowed)',
    `answerFrame(frame, session, this.#live, (command, report) => {
      if (command.type !== 'report') return this.#run(command, report)
      this.#ports.clock.after(40, () => void this.#run(command, report))
      return []
    }, this.#ports.clock.now(), allowed)`,
    2,
  ),
  one(
    'absolute-deadline',
    'shared/run/decide.ts',
    `case 'renew':
      return renew(turn, command.session, turn.nowMs + leaseMs, widthOf(turn, command))`,
    `case 'renew':
      return renew(turn, command.session, Date.parse(turn.head.created_at) + leaseMs)`,
  ),
  one(
    'failure-as-wrong',
    'shared/run/decide.ts',
    'batch.results.push(brief)',
    `batch.results.push(brief.outcome === 'failed' ? { ...brief, outcome: 'wrong', score: 0 } : brief)`,
    2,
  ),
  one(
    'reuse-after-cancel',
    'shared/run/decide.ts',
    'trial.attempt === brief.attempt && !isTerminal(turn.head.status)',
    'trial.attempt === brief.attempt',
    33,
  ),
  one('budget-after-send', 'shared/run/budget.ts', ' + 1e-9) - head.leased - head.lost)', ' + 1e-9))'),
  one(
    'lose-outbox',
    'fleet/coordinator/outbox.ts',
    'for (const sent of unacknowledged.values()) sendOut(sent)',
    'unacknowledged.clear()',
    9,
  ),
  one(
    'skip-drain-marker',
    'edge/run/drain.ts',
    'const { conflicts } = await store.drain(',
    `rows.saveWatermark({
      result: results.at(-1)?.seq ?? mark.result,
      event: events.at(-1)?.id ?? mark.event,
      opening: openings.at(-1)?.seq ?? mark.opening,
      head: head.seq,
    })
    const { conflicts } = await store.drain(`,
  ),
  one(
    'insert-not-upsert',
    'prove/sim/virtual-store.ts',
    'if (stored && stored.attempt >= row.attempt) continue',
    `if (stored) run.trials.set(key + ' again', row)`,
  ),
  one(
    'retry-wrong-answers',
    'fleet/run-worker.ts',
    'else coordinator!.report(record)',
    `else if (record.outcome === 'wrong' && !('again' in lease)) return begin(Object.assign(lease, { again: true }))
    else coordinator!.report(record)`,
  ),
  one('shrink-at-once', 'shared/run/rate-share.ts', 'grants: highest(grants) }', 'grants: [granted] }', 9),
  one(
    'forget-grants',
    'edge/fleet/rate-shares.ts',
    `shares TEXT NOT NULL) WITHOUT ROWID')`,
    `shares TEXT NOT NULL) WITHOUT ROWID')
  sql.exec('DELETE FROM rate')`,
    5,
  ),
  one(
    'R1: an alarm awaits a drain without end',
    'edge/run/run-shell.ts',
    'const slice = this.#drain.run(drainSliceMs)',
    'await this.#drain.run()\n      const slice = this.#drain.run(drainSliceMs)',
    301,
  ),
  {
    name: 'R5: a connection that came late is never closed',
    edits: [
      { path: 'fleet/run-worker.ts', find: 'if (over) return connected.close()', replace: '' },
      { path: 'fleet/agent.ts', find: 'dialing.abort()', replace: '' },
    ],
    from: 18,
  },
  {
    name: 'R9: events of before are forgotten without a snapshot',
    edits: [
      {
        path: 'edge/run/viewers.ts',
        find: 'const isHere = after >= head.seq || after + 1 >= (source.first() ?? head.seq + 1)',
        replace: 'const isHere = true',
      },
      nextOnly,
    ],
    from: 572,
  },
  { name: 'a viewer who was reading while events left is told the next ones only', edits: [nextOnly], from: 1675 },
  one(
    'an agent is granted what others have at work',
    'shared/run/seats.ts',
    'Math.max(0, head.concurrency - taken)',
    'head.concurrency',
    4,
  ),
  one(
    'an agent that shrinks frees what it still works on',
    'shared/run/decide.ts',
    'return Math.max(grantSeats(turn.head, turn.trials.held(), command.session, command), command.working ?? 0)',
    'return grantSeats(turn.head, turn.trials.held(), command.session, command)',
    43,
  ),
  one(
    'R6: rebalancing moves whole runs',
    'edge/fleet/fleet-shell.ts',
    'const given = matchFleet([...this.#runs.values()], agents, before)',
    'const given = matchFleet([...this.#runs.values()], agents)',
  ),
  one(
    'agents about as busy as the others are taken slots from',
    'shared/run/match/balance.ts',
    'loadOf(bin) < mean - slack - near',
    'loadOf(bin) < mean',
    139,
  ),
  {
    name: 'what an aborted attempt comes with counts as its result',
    edits: [
      { path: 'shared/run/decide.ts', find: 'if (brief.failure === abortedClass) {', replace: 'if (false) {' },
      // Else it would be tried again as a failure of ours, and only the last attempt's would count.
      { path: 'shared/run/decide.ts', find: 'open && current && isTriedAgain(brief, trial.deaths)', replace: 'false' },
    ],
    from: 480,
  },
  one('F1: a silent agent keeps its place', 'edge/fleet/roster.ts', 'nowMs - sign.heard_ms >= leaseMs ||', 'false ||', 3),
  one(
    'an agent is forgotten before it may have come back',
    'edge/fleet/roster.ts',
    'nowMs - member.left_ms >= graceMs',
    'nowMs - member.left_ms >= graceMs / 2',
    3,
  ),
  {
    ...one(
      'R10: what an aborted attempt took is forgotten',
      'fleet/run-worker.ts',
      'coordinator!.giveUp(record)',
      'coordinator!.release([lease])',
    ),
    from: 444,
  },
]
