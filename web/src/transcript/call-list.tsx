import { createMemo, For } from 'solid-js'
import { roleTitles } from '#shared/contract/role.ts'
import type { Step } from '#shared/contract/transcript.ts'
import { type CallLine, callLinesOf } from '#shared/stream/call-lines.ts'
import { StreamLine, StreamNumbers } from '../item/stream-bar.tsx'
import { count, duration } from '../ui/format.ts'
import { Show } from '../ui/show.tsx'

/** How the answers to all calls among these steps came in, on one scale, each with its numbers behind it; nothing where only one was measured. */
export function CallList(props: { steps: readonly Step[] }) {
  const lines = createMemo(() => callLinesOf(props.steps))
  const measured = () => lines().calls.filter(({ stream }) => stream !== null).length
  return (
    <Show when={measured() > 1}>
      <details class="mb-3">
        <summary class="cursor-pointer text-s text-muted hover:text-ink">
          How the answers of {count(lines().calls.length)} calls came in
        </summary>
        <ol class="mt-2 divide-y divide-line">
          <For each={lines().calls}>{(call) => <CallRow call={call} scaleMs={lines().longest_ms} />}</For>
        </ol>
      </details>
    </Show>
  )
}

function CallRow(props: { call: CallLine; scaleMs: number }) {
  const head = () => (
    <span class="flex w-full items-baseline justify-between gap-3">
      <span class={props.call.failed ? 'text-papaya' : ''}>
        {props.call.number} {roleTitles[props.call.role]}
        {props.call.failed ? ', failed' : ''}
      </span>
      <span class="text-faint tabular-nums">
        +{duration(props.call.at_ms)}, {duration(props.call.took_ms)}
      </span>
    </span>
  )
  return (
    <li class="py-1.5 text-s">
      <Show
        when={props.call.stream}
        fallback={
          <div>
            {head()}
            <p class="text-faint">How it came in was not measured.</p>
          </div>
        }
      >
        {(stream) => (
          <details>
            <summary class="block cursor-pointer hover:text-ink">
              {head()}
              <StreamLine stream={stream()} scaleMs={props.scaleMs} />
            </summary>
            <StreamNumbers stream={stream()} />
          </details>
        )}
      </Show>
    </li>
  )
}
