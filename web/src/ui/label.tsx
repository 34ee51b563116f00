import { For } from 'solid-js'
import { type LabelName, runLabels } from '#shared/run/run-labels.ts'

/** Badges that keep a demo, sample or overridden result from being taken for the real one; `quiet` in lists, where one page has many. */
export function Labels(props: { names: readonly LabelName[]; quiet?: boolean }) {
  return (
    <For each={props.names}>
      {(name) => (
        <span
          title={runLabels[name].title}
          class={`inline-flex h-5 items-center rounded-[4px] border px-1.5 text-[0.6875rem] whitespace-nowrap text-papaya ${props.quiet ? 'border-line font-medium' : 'border-papaya-fill font-semibold'}`}
        >
          {runLabels[name].word}
        </span>
      )}
    </For>
  )
}

/** Why a page speaks of samples, once. */
export function SampleReason() {
  return <>Their scores say nothing about a model: they show how a run goes. A model with a provider is asked the real data.</>
}
