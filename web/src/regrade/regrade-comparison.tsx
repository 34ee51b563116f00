import { A, createAsync, revalidate } from '@solidjs/router'
import { createEffect, For, on, onCleanup, onMount, Suspense } from 'solid-js'
import type { RegradedEpisode } from '#shared/contract/regrade.ts'
import { itemPath, runPath } from '../paths.ts'
import { count } from '../ui/format.ts'
import { ProblemNote } from '../ui/problem.tsx'
import { Show } from '../ui/show.tsx'
import { getRegrade } from './regrade-queries.ts'

/** How often rewards are asked for again while an episode has none. */
const againMs = 1500

/** Rewards before and now of a run that grades again, changed ones first. `done`: how many of its trials have ended. */
export function RegradeComparison(props: { id: string; done: number }) {
  const answer = createAsync(() => getRegrade(props.id))
  createEffect(
    on(
      () => props.done,
      () => void revalidate(getRegrade.keyFor(props.id)),
      { defer: true },
    ),
  )
  const got = () => answer.latest
  const compared = () => {
    const read = got()
    return read?.ok ? read.value : undefined
  }
  // Results reach the record after the run's state has told them.
  onMount(() => {
    const waiting = () => compared()?.listed.some(({ outcome }) => outcome === null)
    const again = setInterval(() => waiting() && void revalidate(getRegrade.keyFor(props.id)), againMs)
    onCleanup(() => clearInterval(again))
  })
  const problem = () => {
    const read = got()
    return read && !read.ok ? read.problem : undefined
  }
  return (
    <Suspense>
      <Show when={problem()}>{(refused) => <ProblemNote problem={refused()} />}</Show>
      <Show when={compared()}>
        {(all) => (
          <section class="box" aria-label="Graded again">
            <header class="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-4 py-3">
              <h2 class="font-semibold">Graded again</h2>
              <span>
                mean reward <span class="text-muted">{rewardText(all().mean.before)}</span> → {rewardText(all().mean.after)}
                <span class="ml-2 text-muted">n = {count(all().graded)}</span>
              </span>
              <Show when={all().first > 0}>
                <span class="text-muted">{count(all().first)} graded for the first time</span>
              </Show>
              <span class="text-muted">
                {count(all().changed)} changed: {count(all().better)} up, {count(all().worse)} down
              </span>
              <A class="link ml-auto" href={runPath(all().regrades)}>
                The run that was graded
              </A>
            </header>
            <div class="max-h-96 overflow-auto border-t border-line">
              <table class="w-full">
                <thead class="text-left text-s text-faint">
                  <tr>
                    <th class="px-4 py-1.5 font-normal">Episode</th>
                    <th class="px-2 py-1.5 text-right font-normal">Then</th>
                    <th class="px-2 py-1.5 text-right font-normal">Now</th>
                    <th class="px-4 py-1.5 font-normal">
                      <span class="sr-only">Change</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  <For each={all().listed}>{(one) => <Row run={props.id} before={all().regrades} episode={one} />}</For>
                </tbody>
              </table>
            </div>
            <Show when={all().listed.length < all().episodes}>
              <p class="border-t border-line px-4 py-2 text-s text-muted">
                The first {count(all().listed.length)} of {count(all().episodes)}; the items below are all.
              </p>
            </Show>
          </section>
        )}
      </Show>
    </Suspense>
  )
}

function Row(props: { run: string; before: string; episode: RegradedEpisode }) {
  const one = () => props.episode
  const name = () => one().source_id ?? one().item_id
  return (
    <tr class="border-t border-line">
      <td class="px-4 py-1.5 [overflow-wrap:anywhere]">
        <A class="link" href={itemPath(props.run, one().benchmark, one().item_id, one().epoch)} noScroll>
          {name()}, epoch {one().epoch_before + 1}
        </A>
        <Show when={one().why}>{(why) => <p class="text-s text-papaya">{why()}</p>}</Show>
      </td>
      <td class="px-2 py-1.5 text-right">
        <A class="link" href={itemPath(props.before, one().benchmark, one().item_id, one().epoch_before)}>
          {rewardText(one().before)}
        </A>
      </td>
      <td class="px-2 py-1.5 text-right">{one().outcome === null ? 'waits' : rewardText(one().after)}</td>
      <td class="px-4 py-1.5 whitespace-nowrap">
        <Show when={one().changed}>
          <span class={up(one()) ? 'text-moss' : 'text-papaya'}>{up(one()) ? '▲ up' : '▼ down'}</span>
        </Show>
      </td>
    </tr>
  )
}

const up = ({ before, after }: RegradedEpisode): boolean => (after ?? 0) > (before ?? 0)

function rewardText(value: number | null): string {
  return value === null ? '–' : String(Math.round(value * 1000) / 1000)
}
