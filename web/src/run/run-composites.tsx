import { createAsync } from '@solidjs/router'
import { For, Suspense } from 'solid-js'
import type { Composite, CompositePart, CompositeReading } from '#shared/contract/composite.ts'
import { axisOf } from '../chart/axis.ts'
import { ScoreRow, ScoreTable } from '../chart/score-table.tsx'
import { getComposites } from '../queries.ts'
import { Show } from '../ui/show.tsx'

/** Every score that is made of several benchmarks of a run, each with its parts. */
export function RunComposites(props: { id: string }) {
  const answer = createAsync(() => getComposites(props.id))
  const list = () => {
    const got = answer()
    return got?.ok ? got.value.composites : []
  }
  return (
    <Suspense>
      <For each={list()}>{(one) => <CompositeCard composite={one} />}</For>
    </Suspense>
  )
}

/** One composite by the formulas of the run's profile; by other formulas folded, with its parts there too. */
function CompositeCard(props: { composite: Composite }) {
  const others = () => props.composite.readings.slice(1)
  return (
    <section aria-label={props.composite.title} class="grid gap-2">
      <Reading title={props.composite.title} reading={props.composite.readings[0]!} />
      <For each={others()}>
        {(reading) => (
          <details class="group">
            <summary class="list-none text-s text-muted hover:text-ink [&::-webkit-details-marker]:hidden">
              <span class="mr-2 inline-block text-faint group-open:rotate-90">›</span>
              {reading.title}
            </summary>
            <div class="mt-2">
              <Reading title={props.composite.title} reading={reading} />
            </div>
          </details>
        )}
      </For>
    </section>
  )
}

const meaning = '95 % interval over items like those that were asked, each benchmark by itself.'

function Reading(props: { title: string; reading: CompositeReading }) {
  const axis = () => axisOf([props.reading, ...props.reading.parts])
  const absent = () => [...new Set(props.reading.parts.flatMap((part) => part.absent))]
  const without = () => [props.reading, ...props.reading.parts].some(({ value, low }) => value !== null && low === null)
  return (
    <div class="grid gap-1.5">
      <ScoreTable
        label={`${props.title}: ${props.reading.title}`}
        caption="Composite and its parts with weight, 95 % interval and counts"
        axis={axis()}
        rows="Part"
      >
        <ScoreRow
          name={<Name title={props.title} note={props.reading.title} strong />}
          estimate={props.reading}
          meaning={meaning}
          failed={props.reading.failed}
          axis={axis()}
          strong
        />
        <For each={props.reading.parts}>
          {(part) => (
            <ScoreRow
              name={<Name title={part.title} note={weightOf(part)} />}
              estimate={part}
              meaning={meaning}
              failed={part.failed}
              axis={axis()}
            />
          )}
        </For>
      </ScoreTable>
      <Show when={absent().length > 0}>
        <p class="text-s text-papaya">
          Not run: {absent().join(', ')}.{' '}
          {props.reading.value === null ? 'Without them there is no composite.' : 'They count 0 in these formulas.'}
        </p>
      </Show>
      <Show when={without()}>
        <p class="text-s text-muted">There are no limits where a benchmark has fewer than two items.</p>
      </Show>
    </div>
  )
}

const weightOf = (part: CompositePart): string => `${part.weight} %${part.absent.length > 0 ? ', not all run' : ''}`

function Name(props: { title: string; note: string; strong?: boolean }) {
  return (
    <span class="block py-1">
      <span class={`block leading-tight ${props.strong ? 'font-semibold' : ''}`}>{props.title}</span>
      <span class="block text-s leading-tight text-faint">{props.note}</span>
    </span>
  )
}
