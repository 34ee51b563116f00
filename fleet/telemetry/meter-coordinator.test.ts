import { expect, test } from 'vitest'
import { exampleTrial } from '#db/example-run.ts'
import { agentMetrics } from '#shared/telemetry/agent-metrics.ts'
import { namesOf } from '#shared/telemetry/metrics.ts'
import { renderPrometheus } from '#shared/telemetry/prometheus.ts'
import { createRegistry } from '#shared/telemetry/registry.ts'
import type { Coordinator } from '../coordinator/port.ts'
import { meterCoordinator } from './meter-coordinator.ts'

test('[OBS4] every trial an agent is done with is counted once, by what became of it', async () => {
  const registry = createRegistry(namesOf(agentMetrics))
  const did: string[] = []
  const inner = {
    report: ({ outcome }) => void did.push(`report ${outcome}`),
    // As the real one: what it begins may end as a report of its own.
    giveUp(record) {
      did.push('give up')
      this.report?.(record)
    },
    release: (leases) => void did.push(`release ${leases.length}`),
    halt: () => void did.push('halt'),
    backlog: () => 7,
    close: async () => void did.push('close'),
  } as Partial<Coordinator> as Coordinator
  const measured = meterCoordinator(inner, { ...registry, log: () => undefined })
  const { record } = exampleTrial(0)
  const failure = { at: 'provider', reason: 'overloaded', retryable: true, status: 503, detail: '' } as const
  measured.report({ ...record, outcome: 'right' })
  measured.report({ ...record, outcome: 'failed', failure })
  measured.giveUp({ ...record, outcome: 'failed', failure })
  measured.release([record, record])
  measured.release([])
  measured.halt(failure, null)
  const told = () =>
    renderPrometheus(registry.read())
      .split('\n')
      .filter((line) => /(trials|failures|halts)_total|backlog|runs/.test(line) && !line.startsWith('#'))
  expect(told()).toEqual([
    'bench_agent_runs 1',
    'bench_agent_backlog 7',
    'bench_agent_trials_total{outcome="right"} 1',
    'bench_agent_trials_total{outcome="wrong"} 0',
    'bench_agent_trials_total{outcome="failed"} 1',
    'bench_agent_trials_total{outcome="given-up"} 1',
    'bench_agent_trials_total{outcome="released"} 2',
    'bench_agent_failures_total{at="provider",reason="overloaded"} 1',
    'bench_agent_halts_total 1',
  ])
  await measured.close()
  expect(told().slice(0, 2)).toEqual(['bench_agent_trials_total{outcome="right"} 1', 'bench_agent_trials_total{outcome="wrong"} 0'])
  expect(did).toEqual(['report right', 'report failed', 'give up', 'report failed', 'release 2', 'release 0', 'halt', 'close'])
})
