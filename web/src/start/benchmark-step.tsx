import { A } from '@solidjs/router'
import { For } from 'solid-js'
import type { BenchmarkInfo, PlanPreview } from '#shared/contract/api.ts'
import { count } from '../ui/format.ts'
import { Labels } from '../ui/label.tsx'
import { Show } from '../ui/show.tsx'
import type { Selection } from './selection.ts'
import { Step } from './step.tsx'

type Props = {
  number: number
  all: BenchmarkInfo[]
  chosen: string[]
  plan: PlanPreview | undefined
  selection: Selection
  choose: (names: string[]) => void
}

/** The benchmarks as cards to tick, ordered by what they measure. */
export function BenchmarkStep(props: Props) {
  const ordered = () => {
    const categories = [...new Set(props.all.map((one) => one.category))]
    return [...props.all].sort((a, b) => categories.indexOf(a.category) - categories.indexOf(b.category))
  }
  const names = () => props.all.filter((one) => props.chosen.includes(one.name))
  const toggle = (name: string) =>
    props.choose(props.all.map((one) => one.name).filter((one) => (one === name) !== props.chosen.includes(one)))
  return (
    <Step
      number={props.number}
      title="Benchmarks"
      done={props.chosen.length > 0}
      open
      summary={
        <Show when={names().length} fallback="choose at least one">
          <span class="text-ink">
            {names()
              .map((one) => one.display_name)
              .join(', ')}
          </span>
        </Show>
      }
    >
      <fieldset class="grid min-w-0 grid-cols-[repeat(auto-fill,minmax(min(100%,19rem),1fr))] gap-2 p-4">
        <legend class="sr-only">Benchmarks</legend>
        <For each={ordered()}>
          {(one) => (
            <BenchmarkCard
              one={one}
              on={props.chosen.includes(one.name)}
              planned={props.plan?.benchmarks.find((each) => each.name === one.name)}
              selection={props.selection}
              toggle={() => toggle(one.name)}
            />
          )}
        </For>
      </fieldset>
    </Step>
  )
}

function BenchmarkCard(props: {
  one: BenchmarkInfo
  on: boolean
  planned: PlanPreview['benchmarks'][number] | undefined
  selection: Selection
  toggle: () => void
}) {
  const source = () => (props.selection.data === 'auto' ? props.one.data_source : props.selection.data)
  const items = () => (source() === 'sample' ? props.one.card.sample_items : props.one.total_items)
  // What the server plans, as the data decide which wording works; a card that is not chosen does not say.
  const wording = () => {
    const profile = props.planned?.profile
    return profile && (profile === 'builtin' ? 'built-in wording' : `profile ${profile}`)
  }
  return (
    <label
      class={`flex gap-3 rounded-box border p-3 has-focus-visible:outline-2 has-focus-visible:outline-moss ${props.on ? 'border-moss-fill bg-moss-soft' : 'border-line hover:bg-raised'} ${props.one.is_enabled ? '' : 'opacity-50'}`}
    >
      <input
        type="checkbox"
        class="mt-0.5 size-4 shrink-0 accent-[var(--c-moss)] outline-none"
        checked={props.on}
        disabled={!props.one.is_enabled}
        onChange={props.toggle}
      />
      <span class="min-w-0 flex-1">
        <span class="flex items-center justify-between gap-2">
          <span class="truncate font-medium">{props.one.display_name}</span>
          <Show when={source() !== 'pinned'}>
            <Labels names={[source() as 'sample' | 'override']} quiet />
          </Show>
        </span>
        <span class="mt-0.5 line-clamp-2 text-s text-muted">{props.one.description}</span>
        <span class="mt-1 flex flex-wrap gap-x-3 text-s text-faint">
          <span>{count(items())} items</span>
          <span>{props.one.category}</span>
          <Show when={props.on && wording()}>{(text) => <span>{text()}</span>}</Show>
          <Show when={props.one.lacks}>
            {(lacks) => (
              <A href="/agents" class="link text-papaya" title={`No connected agent has ${lacks()}.`}>
                needs setup
              </A>
            )}
          </Show>
          <Show when={!props.one.lacks && props.one.setup_notes && source() === 'pinned'}>
            <A href={`/benchmarks/${props.one.name}`} class="link">
              notes
            </A>
          </Show>
        </span>
      </span>
    </label>
  )
}
