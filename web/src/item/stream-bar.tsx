import { For } from 'solid-js'
import type { MeasuredBy, StreamFacts } from '#shared/contract/stream.ts'
import { count, milliseconds } from '#shared/metrics/number-text.ts'
import { measuredText, type StretchName, streamTexts, stretches, timelineOf } from '#shared/stream/stream-timeline.ts'
import { Show } from '../ui/show.tsx'

/** Waiting is drawn lighter than what the model does, and each stretch has its own height: no two are told apart by colour alone. */
const looks: Record<StretchName, string> = {
  queue: 'h-1 bg-line-strong',
  connect: 'h-2 bg-faint',
  'first-byte': 'h-3 bg-line-strong',
  'first-token': 'h-3 bg-moss-soft border-y border-moss-fill',
  tokens: 'h-4 bg-moss-fill',
  end: 'h-2 bg-line-strong',
}

/** An answer as one bar from getting in line to its end, the longest silence between tokens marked below, on a scale of so many milliseconds. */
export function StreamLine(props: { stream: StreamFacts; scaleMs?: number }) {
  const line = () => timelineOf(props.stream)
  const scaleMs = () => props.scaleMs ?? line().total_ms
  const share = (ms: number) => `${scaleMs() > 0 ? (ms / scaleMs()) * 100 : 0}%`
  const spoken = () => {
    const parts = line().stretches.map(({ name, ms }) => `${stretches[name].toLowerCase()} ${milliseconds(ms)}`)
    const gap = line().gap
    return `Timeline of the answer, ${milliseconds(line().total_ms)} in all: ${[...parts, ...(gap ? [`longest silence between tokens ${milliseconds(gap.ms)}`] : [])].join(', ')}.`
  }
  return (
    <div role="img" aria-label={spoken()}>
      <div class="flex h-4 items-center">
        <For each={line().stretches}>
          {(stretch) => (
            <div
              class={`min-w-px ${looks[stretch.name]}`}
              style={{ width: share(stretch.ms) }}
              title={`${stretches[stretch.name]}: ${milliseconds(stretch.ms)}`}
            />
          )}
        </For>
        <Show when={isBroken(props.stream)}>
          <span class="ml-1 leading-none font-semibold text-papaya">×</span>
        </Show>
      </div>
      <div class="relative h-2">
        <Show when={line().gap}>
          {(gap) => (
            <div
              class="absolute top-0.5 h-1.5 min-w-1 border-x border-b border-papaya"
              style={{ left: share(gap().from_ms), width: share(gap().ms) }}
              title={`Longest silence between tokens: ${milliseconds(gap().ms)}`}
            />
          )}
        </Show>
      </div>
    </div>
  )
}

/** The stretches of an answer and every number of its course with its unit. */
export function StreamNumbers(props: { stream: StreamFacts }) {
  return (
    <dl class="mt-2 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 sm:grid-cols-[auto_1fr_auto_1fr]">
      <For each={timelineOf(props.stream).stretches}>
        {({ name, ms }) => (
          <>
            <dt class="flex items-center gap-2 text-faint">
              <span class={`inline-block w-3 shrink-0 ${looks[name]}`} aria-hidden="true" />
              {stretches[name]}
            </dt>
            <dd>{milliseconds(ms)}</dd>
          </>
        )}
      </For>
      <For each={streamTexts(props.stream)}>
        {([name, text]) => (
          <>
            <dt class="text-faint">{name}</dt>
            <dd class={name === 'The stream' && isBroken(props.stream) ? 'text-papaya' : ''}>{text}</dd>
          </>
        )}
      </For>
    </dl>
  )
}

const isBroken = ({ end }: StreamFacts): boolean => end === 'cut' || end === 'stalled'

/** The answer to the last of so many calls: its course, its numbers, and who measured them. */
export function StreamBar(props: { stream: StreamFacts; measuredBy: MeasuredBy | undefined; calls: number }) {
  const caption = () =>
    [props.calls > 1 ? `The last of ${count(props.calls)} calls.` : null, measuredText(props.measuredBy)].filter(Boolean).join(' ')
  return (
    <figure class="mb-3">
      <StreamLine stream={props.stream} />
      <StreamNumbers stream={props.stream} />
      <Show when={caption()}>{(text) => <figcaption class="mt-2 text-s text-faint">{text()}</figcaption>}</Show>
    </figure>
  )
}
