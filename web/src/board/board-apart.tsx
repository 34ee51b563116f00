import { A } from '@solidjs/router'
import { For } from 'solid-js'
import { apartText } from '#shared/board/board-text.ts'
import type { Leaderboard } from '#shared/contract/board.ts'
import { limitsText } from '#shared/metrics/score-text.ts'
import { runPath } from '../paths.ts'
import { count, percent } from '../ui/format.ts'
import { Show } from '../ui/show.tsx'

type Props = Pick<Leaderboard, 'apart' | 'apart_total' | 'withdrawn'> & { restore: (run_id: string) => void }

/** Runs that are not ranked, each with what it covered, and one's own that were withdrawn. */
export function BoardApart(props: Props) {
  return (
    <>
      <Show when={props.apart.length > 0}>
        <section class="mt-6" aria-labelledby="apart">
          <h2 id="apart" class="font-semibold">
            Not ranked
            <span class="ml-2 font-normal text-muted">
              {props.apart.length < props.apart_total
                ? `the newest ${props.apart.length} of ${count(props.apart_total)}`
                : count(props.apart_total)}
            </span>
          </h2>
          <p class="mt-1 mb-2 max-w-[75ch] text-s text-muted">
            These did not ask all items as often as the profile says, or too much of them failed: their scores do not compare with those
            above.
          </p>
          <ul class="box divide-y divide-line">
            <For each={props.apart}>
              {(one) => (
                <li class="relative flex flex-wrap items-baseline gap-x-3 gap-y-0.5 px-4 py-2 hover:bg-raised">
                  <A href={runPath(one.run.run_id)} class="stretch min-w-0 font-medium break-words">
                    {one.model_slug}
                  </A>
                  <span class="text-s text-muted">{one.provider}</span>
                  <span class="text-s text-papaya">{apartText(one)}</span>
                  <span class="ml-auto text-s text-muted">
                    {percent(one.run.estimate.value)} ({limitsText(one.run.estimate) ?? 'no interval'}) n = {count(one.run.estimate.n)}
                  </span>
                  <span class="text-s text-faint">{one.run.ended_at.slice(0, 10)}</span>
                </li>
              )}
            </For>
          </ul>
        </section>
      </Show>
      <Show when={props.withdrawn.length > 0}>
        <section class="mt-6" aria-labelledby="withdrawn">
          <h2 id="withdrawn" class="mb-2 font-semibold">
            Your withdrawn runs
          </h2>
          <ul class="box divide-y divide-line">
            <For each={props.withdrawn}>
              {(one) => (
                <li class="flex flex-wrap items-center gap-3 px-4 py-2">
                  <A href={runPath(one.run_id)} class="min-w-0 font-medium break-words">
                    {one.model_slug}
                  </A>
                  <span class="text-s text-muted">
                    by {one.by === 'owner' ? 'you' : 'the operator'}, {one.at.slice(0, 10)}
                  </span>
                  <Show when={one.by === 'owner'}>
                    <button type="button" class="btn ml-auto" onClick={() => props.restore(one.run_id)}>
                      Put back
                    </button>
                  </Show>
                </li>
              )}
            </For>
          </ul>
        </section>
      </Show>
    </>
  )
}
