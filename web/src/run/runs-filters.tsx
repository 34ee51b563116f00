import { For } from 'solid-js'
import type { BenchmarkInfo } from '#shared/contract/api.ts'
import { runStatuses } from '#shared/contract/run.ts'
import { TeamFilter } from '../team/team-filter.tsx'
import { Chip, Choice, SearchField } from '../ui/filter-fields.tsx'
import { RunMark } from '../ui/mark.tsx'
import { Show } from '../ui/show.tsx'
import { type RunFilter, type Sort, sorts } from './run-filter.ts'

const sortEntries = Object.entries(sorts) as [Sort, string][] // its own keys

type Props = { filter: RunFilter; benchmarks: readonly BenchmarkInfo[]; set: (change: Partial<RunFilter>) => void }

/** State, words, benchmark, days and order of the list of runs. */
export function RunsFilters(props: Props) {
  return (
    <div class="mb-3 grid gap-2">
      <div class="flex flex-wrap items-center gap-2">
        <For each={runStatuses}>
          {(one) => (
            <Chip on={props.filter.status === one} set={(on) => props.set({ status: on ? one : undefined })}>
              <RunMark status={one} />
            </Chip>
          )}
        </For>
        <Show when={props.filter.tag}>
          {(tag) => (
            <Chip on label={`Tag ${tag()}, take away`} set={() => props.set({ tag: undefined })}>
              {tag()}
            </Chip>
          )}
        </Show>
      </div>
      <div class="flex flex-wrap items-center gap-2">
        <SearchField
          label="Search name, model, tag or id"
          placeholder="Name, model, tag or id"
          class="w-full sm:w-72"
          value={props.filter.q}
          set={(q) => props.set({ q })}
        />
        <Choice
          label="Benchmark"
          value={props.filter.benchmark}
          options={props.benchmarks.map((one) => [one.name, one.display_name] as const)}
          all="every benchmark"
          set={(benchmark) => props.set({ benchmark })}
        />
        <TeamFilter team={props.filter.team} set={(team) => props.set({ team })} />
        <Day label="From" value={props.filter.since} set={(since) => props.set({ since })} />
        <Day label="To" value={props.filter.until} set={(until) => props.set({ until })} />
        <Choice
          label="Order"
          value={props.filter.sort}
          options={sortEntries}
          class="sm:ml-auto"
          set={(sort) => sort && props.set({ sort })}
        />
      </div>
    </div>
  )
}

function Day(props: { label: string; value: string | undefined; set: (value: string | undefined) => void }) {
  return (
    <label class="flex items-center gap-1.5 text-s text-muted">
      {props.label}
      <input
        type="date"
        class="field w-36"
        value={props.value ?? ''}
        onChange={(event) => props.set(event.currentTarget.value || undefined)}
      />
    </label>
  )
}
