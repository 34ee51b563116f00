import { createAsync, revalidate } from '@solidjs/router'
import { onCleanup, onMount } from 'solid-js'
import type { OpsOverview } from '#shared/contract/ops.ts'
import { tellsSandy } from '#shared/contract/sandy.ts'
import { LineChart } from '../ops/line-chart.tsx'
import { MaintenanceBox } from '../ops/maintenance-box.tsx'
import { OpsAgents } from '../ops/ops-agents.tsx'
import { getOps } from '../ops/ops-query.ts'
import { OpsRuns } from '../ops/ops-runs.tsx'
import { SandyPanel } from '../ops/sandy-panel.tsx'
import { TokenTable } from '../ops/token-table.tsx'
import { getStatus } from '../queries.ts'
import { count } from '../ui/format.ts'
import { createKept } from '../ui/kept.ts'
import { KeptProblem } from '../ui/kept-problem.tsx'
import { useNow } from '../ui/now.ts'
import { Page } from '../ui/page.tsx'
import { Show } from '../ui/show.tsx'

const refreshMs = 10_000

/** The whole service for its operator: load over time, agents, the queue, what was spent, maintenance. */
export default function Ops() {
  const answer = createAsync(() => getOps())
  const status = createAsync(() => getStatus())
  const kept = createKept(() => 'ops', answer)
  const now = useNow(refreshMs)
  const refresh = () => {
    void revalidate(getOps.key)
    void revalidate(getStatus.key)
  }
  onMount(() => {
    const timer = setInterval(() => document.hidden || refresh(), refreshMs)
    onCleanup(() => clearInterval(timer))
  })
  const told = () => {
    const got = status.latest
    return got?.ok ? got.value : undefined
  }
  return (
    <Page title="Operations" lead={<Show when={kept().value}>{(ops) => leadOf(ops())}</Show>}>
      <KeptProblem kept={kept()} />
      <Show when={kept().value}>
        {(ops) => (
          <>
            <Charts ops={ops()} />
            <OpsAgents workers={ops().workers} now={now()} changed={refresh} />
            <OpsRuns
              {...{ title: 'Running', empty: 'Nothing is running. Runs that are started show here.', now: now() }}
              runs={ops().running_runs}
              total={ops().queue_counts.running}
            />
            <OpsRuns
              {...{ title: 'Queued', empty: 'No run waits.', now: now() }}
              runs={ops().queued_runs}
              total={ops().queue_counts.queued}
            />
            <SandyPanel
              isConnected={ops().workers.some(({ capabilities, silent }) => !silent && capabilities.includes(tellsSandy))}
              now={now()}
            />
            <TokenTable stats={ops().token_stats} />
            <OpsRuns
              {...{ title: 'Ended lately', empty: 'No run has ended yet.', now: now() }}
              runs={ops().completed_runs}
              total={ended(ops().queue_counts)}
            />
            <MaintenanceBox status={told()} changed={refresh} />
          </>
        )}
      </Show>
    </Page>
  )
}

const ended = (counts: OpsOverview['queue_counts']): number => counts.succeeded + counts.failed + counts.incomplete + counts.canceled

const leadOf = ({ workers, queue_counts }: OpsOverview): string =>
  `${count(workers.length)} ${workers.length === 1 ? 'agent' : 'agents'}, ${count(queue_counts.running)} running, ${count(queue_counts.queued)} queued`

/** Two charts over the last six hours. */
function Charts(props: { ops: OpsOverview }) {
  const moments = () => props.ops.timeseries.map(({ timestamp }) => timestamp)
  const of = (key: 'running_items' | 'slots' | 'worker_count' | 'running_runs' | 'queued_runs') =>
    props.ops.timeseries.map((one) => one[key])
  return (
    <div class="grid gap-5 lg:grid-cols-2">
      <LineChart
        title="Slots"
        moments={moments()}
        lines={[
          { name: 'busy', values: of('running_items') },
          { name: 'all', values: of('slots'), dashed: true },
        ]}
      />
      <LineChart
        title="Agents and queue"
        moments={moments()}
        lines={[
          { name: 'running runs', values: of('running_runs') },
          { name: 'queued runs', values: of('queued_runs') },
          { name: 'agents', values: of('worker_count'), dashed: true },
        ]}
      />
    </div>
  )
}
