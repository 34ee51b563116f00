import { deepEqual, equal, ok } from 'node:assert/strict'
import type { RunStatus } from '#shared/contract/run.ts'
import type { Lease, TrialRecord } from '#shared/contract/trial.ts'
import { noUsage } from '#shared/contract/usage.ts'
import type { Coordinator, CoordinatorEvents } from './port.ts'

/** Joins a fresh run of `trials` trials over one benchmark, as its only executor, and resolves with what that executor is given. */
export type OpenCoordinator = (trials: number, events: CoordinatorEvents) => Promise<Coordinator>
export type CoordinatorRule = { rule: string; name: string; check(open: OpenCoordinator): Promise<void> }

/** What every coordinator promises its executor, in whatever way it is reached. */
export const coordinatorContract: readonly CoordinatorRule[] = [
  {
    rule: 'CLI20',
    name: 'hands out every trial once, in the order of the plan, and then none',
    async check(open) {
      const { coordinator } = await join(open, 10)
      const claimed = [...(await coordinator.claim(4)), ...(await coordinator.claim(100))]
      deepEqual(
        claimed.map(({ ordinal }) => ordinal),
        [...Array(10).keys()],
      )
      deepEqual(new Set(claimed.map(({ attempt }) => attempt)), new Set([1]))
      deepEqual(await coordinator.claim(1), [])
      await coordinator.close()
    },
  },
  {
    rule: 'CLI21',
    name: 'acknowledges what is reported',
    async check(open) {
      const { coordinator } = await join(open, 3)
      for (const lease of await coordinator.claim(2)) coordinator.report(rightAnswer(lease))
      await coordinator.drained()
      equal(coordinator.backlog(), 0)
      deepEqual(
        (await coordinator.claim(5)).map(({ ordinal }) => ordinal),
        [2],
      )
      await coordinator.close()
    },
  },
  {
    rule: 'CLI22',
    name: 'gives a returned trial out again, under its next attempt',
    async check(open) {
      const { coordinator } = await join(open, 3)
      const [first, second] = await coordinator.claim(2)
      coordinator.release([second!])
      const again = await coordinator.claim(5)
      deepEqual(
        again.map(({ ordinal, attempt }) => [ordinal, attempt]),
        [
          [1, 2],
          [2, 1],
        ],
      )
      equal(first!.ordinal, 0)
      await coordinator.close()
    },
  },
  {
    rule: 'RUN100',
    name: 'takes back a trial that was begun and given up, and gives it out again',
    async check(open) {
      const { coordinator } = await join(open, 2)
      const [first] = await coordinator.claim(1)
      coordinator.giveUp({ ...rightAnswer(first!), outcome: 'failed', score: null, cost_usd: 0.5 })
      await coordinator.drained()
      deepEqual(
        (await coordinator.claim(5)).map(({ ordinal, attempt }) => [ordinal, attempt]),
        [
          [0, 2],
          [1, 1],
        ],
      )
      await coordinator.close()
    },
  },
  {
    rule: 'CLI23',
    name: 'pauses the run for a failure that stops all of it, and hands out nothing until it goes on',
    async check(open) {
      const { coordinator, reached } = await join(open, 3)
      const leases = await coordinator.claim(1)
      coordinator.release(leases)
      coordinator.halt({ at: 'provider', reason: 'payment-required', retryable: false, status: 402, detail: 'No credit is left.' }, null)
      await reached('paused')
      deepEqual(await coordinator.claim(3), [])
      await coordinator.close()
    },
  },
  {
    rule: 'CLI24',
    name: 'tells that the run has begun, and that it has ended when its last trial is in',
    async check(open) {
      const { coordinator, reached, states } = await join(open, 2)
      await reached('queued', 'running')
      const leases = await coordinator.claim(2)
      for (const lease of leases) coordinator.report(rightAnswer(lease))
      await coordinator.drained()
      await reached('succeeded')
      ok(states.includes('queued') || states.includes('running'))
      deepEqual(await coordinator.claim(1), [])
      await coordinator.close()
    },
  },
]

async function join(open: OpenCoordinator, trials: number) {
  const states: RunStatus[] = []
  const waiting = new Set<() => void>()
  const coordinator = await open(trials, {
    onState({ status }) {
      states.push(status)
      for (const look of waiting) look()
    },
    onDrop: () => undefined,
    onClosed: () => undefined,
  })
  const reached = (...wanted: RunStatus[]): Promise<void> =>
    new Promise((resolve) => {
      const look = () => {
        if (states.some((status) => wanted.includes(status))) resolve()
      }
      waiting.add(look)
      look()
    })
  return { coordinator, states, reached }
}

/** What an executor reports of a trial that the model answered rightly. */
export function rightAnswer(lease: Lease): TrialRecord {
  return {
    ...lease,
    source_id: null,
    item_hash: '',
    group: null,
    outcome: 'right',
    score: 1,
    answer: 'A',
    expected: 'A',
    explanation: null,
    flags: [],
    detail: {},
    messages: [],
    params: null,
    evidence: null,
    failure: null,
    item_metadata: {},
    usage: noUsage,
    cost_usd: 0,
    calls: 1,
    model_reported: null,
    system_fingerprint: null,
    latency_ms: 1,
    ttft_ms: null,
    max_gap_ms: null,
  }
}
