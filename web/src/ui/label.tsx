import { For } from 'solid-js'

const labels = {
  demo: { word: 'demo model', title: 'The answers come from a built-in model that invents them. They measure nothing.' },
  sample: { word: 'sample data', title: 'Asked on a few invented items in the format of the data set, not on the data set itself.' },
  override: { word: 'own data', title: 'Asked on a file the operator put in place of the pinned data set; it is named by its hash.' },
}
export type LabelName = keyof typeof labels

/** Badges that keep a demo, sample or overridden result from being taken for the real one; `quiet` in lists, where one page has many. */
export function Labels(props: { names: readonly LabelName[]; quiet?: boolean }) {
  return (
    <For each={props.names}>
      {(name) => (
        <span
          title={labels[name].title}
          class={`inline-flex h-5 items-center rounded-[4px] px-1.5 text-[0.6875rem] whitespace-nowrap ${props.quiet ? 'border border-line font-medium text-papaya' : 'bg-papaya-fill font-bold tracking-wide text-[#1c0a02] uppercase'}`}
        >
          {labels[name].word}
        </span>
      )}
    </For>
  )
}

/** Why a page speaks of samples, once. */
export function SampleReason() {
  return <>Their scores say nothing about a model: they show how a run goes. A model with a provider is asked the real data.</>
}
