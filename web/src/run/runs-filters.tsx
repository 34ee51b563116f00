import Search from 'lucide-solid/icons/search'
import { For, Show } from 'solid-js'
import type { BenchmarkInfo } from '#shared/contract/api.ts'
import { runStatuses } from '#shared/contract/run.ts'
import { RunMark } from '../ui/mark.tsx'
import { type RunFilter, type Sort, sorts } from './run-filter.ts'

type Props = { filter: RunFilter; benchmarks: readonly BenchmarkInfo[]; set: (change: Partial<RunFilter>) => void }

/** State, words, benchmark, days and order of the list of runs. */
export function RunsFilters(props: Props) {
  let typing: ReturnType<typeof setTimeout> | undefined
  const type = (text: string) => {
    clearTimeout(typing)
    typing = setTimeout(() => props.set({ q: text.trim() || undefined }), 250)
  }
  return (
    <div class="mb-3 grid gap-2">
      <div class="flex flex-wrap items-center gap-2">
        <For each={runStatuses}>
          {(one) => (
            <button
              type="button"
              class={`chip hover:text-ink ${props.filter.status === one ? 'chip-on' : ''}`}
              aria-pressed={props.filter.status === one}
              onClick={() => props.set({ status: props.filter.status === one ? undefined : one })}
            >
              <RunMark status={one} />
            </button>
          )}
        </For>
        <Show when={props.filter.tag}>
          {(tag) => (
            <button type="button" class="chip chip-on" onClick={() => props.set({ tag: undefined })} aria-label={`Tag ${tag()}, take away`}>
              {tag()} ×
            </button>
          )}
        </Show>
      </div>
      <div class="flex flex-wrap items-center gap-2">
        <label class="relative min-w-0 flex-1 sm:max-w-72">
          <span class="sr-only">Search name, model, tag or id</span>
          <Search size={14} class="pointer-events-none absolute top-[9px] left-2.5 text-faint" aria-hidden="true" />
          <input
            type="search"
            data-search
            class="field w-full pl-8"
            placeholder="Name, model, tag or id"
            value={props.filter.q ?? ''}
            onInput={(event) => type(event.currentTarget.value)}
          />
        </label>
        <label>
          <span class="sr-only">Benchmark</span>
          <select class="field max-w-44" onChange={(event) => props.set({ benchmark: event.currentTarget.value || undefined })}>
            <option value="" selected={!props.filter.benchmark}>
              every benchmark
            </option>
            <For each={props.benchmarks}>
              {(one) => (
                <option value={one.name} selected={one.name === props.filter.benchmark}>
                  {one.display_name}
                </option>
              )}
            </For>
          </select>
        </label>
        <Day label="From" value={props.filter.since} set={(since) => props.set({ since })} />
        <Day label="To" value={props.filter.until} set={(until) => props.set({ until })} />
        <label class="ml-auto max-sm:ml-0">
          <span class="sr-only">Order</span>
          <select class="field" onChange={(event) => props.set({ sort: event.currentTarget.value as Sort })}>
            <For each={Object.entries(sorts)}>
              {([value, text]) => (
                <option value={value} selected={value === props.filter.sort}>
                  {text}
                </option>
              )}
            </For>
          </select>
        </label>
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
