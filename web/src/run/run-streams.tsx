import { For } from 'solid-js'
import type { RunStreaming } from '#shared/contract/streaming.ts'
import { streamingTexts } from '#shared/metrics/streaming-texts.ts'

/** How the answers of a whole run came in, folded until wanted: a line tells the first token and what broke, the rest is behind it. */
export function RunStreams(props: { streaming: RunStreaming }) {
  const texts = () => streamingTexts(props.streaming)
  const textOf = (name: string) => texts().find((one) => one.name === name)?.text
  return (
    <details class="box group">
      <summary class="list-none px-4 py-2.5 text-muted hover:text-ink [&::-webkit-details-marker]:hidden">
        <span class="mr-2 inline-block text-faint group-open:rotate-90">›</span>How answers came in: first token{' '}
        {textOf('stream_first_token_ms') ?? '–'}; {textOf('stream_broken')}
      </summary>
      <dl class="grid gap-x-8 gap-y-1 border-t border-line p-4 text-s lg:grid-cols-2">
        <For each={texts()}>
          {(one) => (
            <div class="flex flex-wrap items-baseline justify-between gap-x-3" title={one.meaning}>
              <dt class="text-muted">{one.title}</dt>
              <dd class="text-right">
                {one.text} <span class="text-faint">{one.n}</span>
              </dd>
            </div>
          )}
        </For>
      </dl>
    </details>
  )
}
