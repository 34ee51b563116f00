import { For } from 'solid-js'
import type { Tally } from '#shared/contract/run.ts'
import { outcomes } from '#shared/contract/trial.ts'
import { count } from '../ui/format.ts'
import { OutcomeMark } from '../ui/mark.tsx'
import { Show } from '../ui/show.tsx'

/** Right, wrong and failed trials as stretches of one bar; the legend gives the numbers with their marks. */
export function ProgressBar(props: { tally: Pick<Tally, 'right' | 'wrong' | 'failed'>; total: number; class?: string; legend?: boolean }) {
  const width = (part: number) => `${props.total ? (part / props.total) * 100 : 0}%`
  const done = () => props.tally.right + props.tally.wrong + props.tally.failed
  return (
    <div class={props.class}>
      <div
        class="flex h-1.5 overflow-hidden rounded-full bg-raised"
        role="progressbar"
        aria-valuenow={done()}
        aria-valuemin={0}
        aria-valuemax={props.total}
        aria-label={`${count(done())} of ${count(props.total)} done`}
      >
        <div class="bg-moss-fill" style={{ width: width(props.tally.right) }} />
        <div class="bg-faint" style={{ width: width(props.tally.wrong) }} />
        <div class="bg-papaya-fill" style={{ width: width(props.tally.failed) }} />
      </div>
      <Show when={props.legend}>
        <div class="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-s">
          <For each={outcomes}>
            {(outcome) => (
              <span class={`flex gap-1.5 ${props.tally[outcome] === 0 ? 'text-faint' : ''}`}>
                <OutcomeMark outcome={outcome} none={props.tally[outcome] === 0} /> {count(props.tally[outcome])}
              </span>
            )}
          </For>
        </div>
      </Show>
    </div>
  )
}
