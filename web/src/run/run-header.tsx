import { A } from '@solidjs/router'
import { Switch } from 'solid-js'
import type { Run } from '#shared/contract/api.ts'
import { isTerminal, type RunHead } from '#shared/contract/run.ts'
import ChevronLeft from '~icons/lucide/chevron-left'
import type { Connection } from '../live-state.ts'
import { mayRegrade, workedAtMachines } from '../regrade/may-regrade.ts'
import { Labels } from '../ui/label.tsx'
import { later } from '../ui/later.tsx'
import { RunMark } from '../ui/mark.tsx'
import { Match, Show } from '../ui/show.tsx'
import { ExportMenu } from './export-menu.tsx'
import { mayManage } from './may-manage.ts'
import { RunCommands } from './run-commands.tsx'
import { ShareMenu } from './share-menu.tsx'

const RegradeButton = later(async () => (await import('../regrade/regrade-button.tsx')).RegradeButton)

/** Stays in view: which model, in which state, and what can be done with the run. */
export function RunHeader(props: { run: Run; head: RunHead; connection: Connection; changed: () => void }) {
  return (
    <header class="sticky top-0 z-30 flex min-h-14 flex-wrap items-center gap-x-3 gap-y-2 border-b border-line bg-bg px-4 py-2 sm:px-6">
      <A href="/runs" class="text-muted hover:text-ink" aria-label="All runs">
        <ChevronLeft size={18} aria-hidden="true" />
      </A>
      <h1 class="min-w-0 truncate text-l font-semibold" title={props.run.name ?? props.run.model_slug}>
        {props.run.name ?? props.run.model_slug}
      </h1>
      <Show when={props.run.name}>
        <span class="min-w-0 truncate text-muted" title={props.run.model_slug}>
          {props.run.model_slug}
        </span>
      </Show>
      <Labels names={props.run.labels} />
      <Show when={props.run.team}>{(team) => <span class="chip max-w-40 truncate">{team().name}</span>}</Show>
      <RunMark status={props.head.status} parked={props.head.parked !== null} />
      <Show when={!isTerminal(props.head.status)}>
        <ConnectionNote connection={props.connection} />
      </Show>
      {/* A row of its own on a phone, and what stays comes last: the end of a run moves nothing. */}
      <div class="ml-auto flex items-center justify-end gap-2 max-sm:w-full">
        <RunCommands run={props.run} head={props.head} changed={props.changed} />
        <Show when={mayRegrade(props.run, props.head.status)}>
          <RegradeButton runId={props.run.id}>Regrade</RegradeButton>
        </Show>
        <Show when={isTerminal(props.head.status)}>
          <ExportMenu
            id={props.run.id}
            trials={props.head.done}
            machines={workedAtMachines(props.run.spec)}
            benchmarks={props.run.selected_benchmarks}
          />
        </Show>
        <Show when={mayManage(props.run)}>
          <ShareMenu run={props.run} changed={props.changed} />
        </Show>
      </div>
    </header>
  )
}

function ConnectionNote(props: { connection: Connection }) {
  return (
    <span class="text-s text-faint" role="status">
      <Switch>
        <Match when={props.connection === 'live'}>live</Match>
        {/* On a phone the note below says it: a third line of the header would push the page down. */}
        <Match when={props.connection === 'waiting'}>
          <span class="max-sm:hidden">connection lost, trying again</span>
        </Match>
      </Switch>
    </span>
  )
}
