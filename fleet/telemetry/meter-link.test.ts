import { expect, test } from 'vitest'
import { agentMetrics } from '#shared/telemetry/agent-metrics.ts'
import { namesOf } from '#shared/telemetry/metrics.ts'
import { renderPrometheus } from '#shared/telemetry/prometheus.ts'
import { createRegistry } from '#shared/telemetry/registry.ts'
import type { Link, WireEvents } from '../coordinator/link.ts'
import { processClock } from '../process-clock.ts'
import { meterLink } from './meter-link.ts'

test('[OBS4] a connection counts as lost when it breaks, as failed when it never came, and as neither when it was closed here', () => {
  const registry = createRegistry(namesOf(agentMetrics))
  let there: WireEvents
  const link: Link = {
    clock: processClock,
    random: () => 0,
    newId: () => '',
    dial(_url, _token, events) {
      there = events
      return {
        isOpen: () => true,
        send: () => undefined,
        close: () => events.onGone(1000, '', undefined),
        cut: () => events.onGone(1006, '', undefined),
      }
    },
  }
  const metered = meterLink(link, { ...registry, log: () => undefined })
  const heard: string[] = []
  const events: WireEvents = {
    onOpen: () => void heard.push('open'),
    onMessage: (text) => void heard.push(text),
    onRefused: (status) => void heard.push(`refused ${status}`),
    onGone: (code) => void heard.push(`gone ${code}`),
  }
  const dial = (to: string) => metered.dial(`ws://edge.test/api/${to}/socket`, '', events)
  const closed = dial('fleet')
  there!.onOpen()
  there!.onMessage('hello')
  closed.close()
  const broken = dial('runs/r1')
  there!.onOpen()
  broken.cut()
  dial('fleet')
  there!.onRefused(503)
  there!.onGone(1006, '', undefined)
  expect(heard).toEqual(['open', 'hello', 'gone 1000', 'open', 'gone 1006', 'refused 503', 'gone 1006'])
  expect(
    renderPrometheus(registry.read())
      .split('\n')
      .filter((line) => line.startsWith('bench_agent_connections_total')),
  ).toEqual([
    'bench_agent_connections_total{to="fleet",event="opened"} 1',
    'bench_agent_connections_total{to="fleet",event="failed"} 1',
    'bench_agent_connections_total{to="fleet",event="lost"} 0',
    'bench_agent_connections_total{to="run",event="opened"} 1',
    'bench_agent_connections_total{to="run",event="failed"} 0',
    'bench_agent_connections_total{to="run",event="lost"} 1',
  ])
})
