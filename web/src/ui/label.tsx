import { For } from 'solid-js'

const labels = {
  demo: { word: 'DEMO MODEL', title: 'The answers come from a built-in model that invents them. They measure nothing.' },
  sample: { word: 'SAMPLE DATA', title: 'Asked on a few invented items in the format of the data set, not on the data set itself.' },
  override: { word: 'OWN DATA', title: 'Asked on a file the operator put in place of the pinned data set; it is named by its hash.' },
}
export type LabelName = keyof typeof labels

/** Badges that keep a demo, sample or overridden result from being taken for the real one. */
export function Labels(props: { names: readonly LabelName[] }) {
  return (
    <For each={props.names}>
      {(name) => (
        <span
          title={labels[name].title}
          class="inline-flex h-5 items-center rounded-[4px] bg-papaya-fill px-1.5 text-[0.6875rem] font-bold tracking-wide whitespace-nowrap text-[#1c0a02]"
        >
          {labels[name].word}
        </span>
      )}
    </For>
  )
}
