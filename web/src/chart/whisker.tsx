import { For } from 'solid-js'
import type { Estimate } from '#shared/contract/api.ts'
import { Show } from '../ui/show.tsx'
import { type Axis, place } from './axis.ts'

/** A score as a dot on its 95 % interval. The numbers stand beside it in the page, so it is hidden from screen readers. */
export function Whisker(props: { estimate: Pick<Estimate, 'value' | 'low' | 'high'>; axis: Axis; large?: boolean }) {
  const x = (value: number) => `${place(props.axis, value)}%`
  const thick = () => (props.large ? 2.5 : 2)
  return (
    <svg class={`block w-full overflow-visible ${props.large ? 'h-6' : 'h-4'}`} aria-hidden="true">
      <For each={props.axis.ticks}>{(tick) => <line x1={x(tick)} x2={x(tick)} y1="0" y2="100%" stroke="var(--c-line)" />}</For>
      <Show when={props.estimate.low !== null && props.estimate.high !== null}>
        <g stroke="var(--c-moss)" stroke-width={thick()} stroke-linecap="round">
          <line x1={x(props.estimate.low!)} x2={x(props.estimate.high!)} y1="50%" y2="50%" />
          <line x1={x(props.estimate.low!)} x2={x(props.estimate.low!)} y1="25%" y2="75%" />
          <line x1={x(props.estimate.high!)} x2={x(props.estimate.high!)} y1="25%" y2="75%" />
        </g>
      </Show>
      <Show when={props.estimate.value !== null}>
        <circle
          cx={x(props.estimate.value!)}
          cy="50%"
          r={props.large ? 5 : 4}
          fill="var(--c-moss-fill)"
          stroke="var(--c-surface)"
          stroke-width="1.5"
        />
      </Show>
    </svg>
  )
}

/** Tick labels of the axis, set above or below whiskers of the same width; `sparse`: every second one where the container is narrow. */
export function AxisLabels(props: { axis: Axis; sparse?: boolean }) {
  return (
    <div class="relative h-4 text-[0.6875rem] leading-4 text-faint" aria-hidden="true">
      <For each={props.axis.ticks}>
        {(tick) => (
          <span
            class={`absolute -translate-x-1/2 ${props.sparse ? '@max-lg:even:hidden' : ''}`}
            style={{ left: `${place(props.axis, tick)}%` }}
          >
            {Math.round(tick * 100)}
          </span>
        )}
      </For>
    </div>
  )
}
