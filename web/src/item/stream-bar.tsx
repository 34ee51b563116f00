import { For, Show } from 'solid-js'
import type { MeasuredBy, StreamFacts } from '#shared/contract/stream.ts'
import { count, milliseconds } from '#shared/metrics/number-text.ts'
import { measuredText, type StretchName, streamTexts, stretches, timelineOf } from '#shared/stream/stream-timeline.ts'

/** Waiting is drawn lighter than what the model does, and each stretch has its own height: no two are told apart by colour alone. */
const looks: Record<StretchName, string> = {
  queue: 'h-1 bg-line-strong',
  connect: 'h-2 bg-faint',
  'first-byte': 'h-3 bg-line-strong',
  'first-token': 'h-3 bg-moss-soft border-y border-moss-fill',
  tokens: 'h-4 bg-moss-fill',
  end: 'h-2 bg-line-strong',
}

/** The answer to the last of so many calls as one bar from getting in line to its end, the longest silence between tokens marked below, then every number with its unit. */
export function StreamBar(props: { stream: StreamFacts; measuredBy: MeasuredBy | undefined; calls: number }) {
  const line = () => timelineOf(props.stream)
  const share = (ms: number) => `${line().total_ms > 0 ? (ms / line().total_ms) * 100 : 0}%`
  const broken = () => props.stream.end === 'cut' || props.stream.end === 'stalled'
  const caption = () =>
    [props.calls > 1 ? `The last of ${count(props.calls)} calls.` : null, measuredText(props.measuredBy)].filter(Boolean).join(' ')
  const spoken = () => {
    const parts = line().stretches.map(({ name, ms }) => `${stretches[name].toLowerCase()} ${milliseconds(ms)}`)
    const gap = line().gap
    return `Timeline of the answer, ${milliseconds(line().total_ms)} in all: ${[...parts, ...(gap ? [`longest silence between tokens ${milliseconds(gap.ms)}`] : [])].join(', ')}.`
  }
  return (
    <figure class="mb-3">
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
          <Show when={broken()}>
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
      <dl class="mt-2 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 sm:grid-cols-[auto_1fr_auto_1fr]">
        <For each={line().stretches}>
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
              <dd class={name === 'The stream' && broken() ? 'text-papaya' : ''}>{text}</dd>
            </>
          )}
        </For>
      </dl>
      <Show when={caption()}>{(text) => <figcaption class="mt-2 text-s text-faint">{text()}</figcaption>}</Show>
    </figure>
  )
}
