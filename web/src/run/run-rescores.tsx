import { A, createAsync } from '@solidjs/router'
import { createSignal, For, Suspense } from 'solid-js'
import type { Rescore, RescoreDifference, Scored } from '#shared/contract/rescore.ts'
import { scoreText } from '#shared/metrics/score-text.ts'
import { itemPath } from '../paths.ts'
import { count, moment, percent } from '../ui/format.ts'
import { Show } from '../ui/show.tsx'
import { getRescore, getRescores } from './rescore-queries.ts'

/** How an ended run scored when its evidence was read again by later scorers; nothing where that was never done. */
export function RunRescores(props: { id: string }) {
  const answer = createAsync(() => getRescores(props.id))
  const list = () => {
    const got = answer()
    return got?.ok && got.value.rescores.length > 0 ? got.value : undefined
  }
  return (
    <Suspense>
      <Show when={list()}>
        {(got) => (
          <details class="box group">
            <summary class="list-none px-4 py-2.5 text-muted hover:text-ink [&::-webkit-details-marker]:hidden">
              <span class="mr-2 inline-block text-faint group-open:rotate-90">›</span>Scored again from its evidence: {count(got().total)}
            </summary>
            <ul class="border-t border-line">
              <For each={got().rescores}>{(one) => <RescoreRow run={props.id} rescore={one} />}</For>
            </ul>
          </details>
        )}
      </Show>
    </Suspense>
  )
}

function RescoreRow(props: { run: string; rescore: Rescore }) {
  const [open, setOpen] = createSignal(false)
  const counts = () => props.rescore.counts
  const missed = () => Object.entries(counts().not_recomputed)
  const side = (estimates: Rescore['before']) => {
    const estimate = estimates[props.rescore.headline]
    return estimate ? scoreText(estimate) : '–'
  }
  return (
    <li class="px-4 py-2.5 not-last:border-b border-line">
      <div class="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <span class="font-medium">{props.rescore.benchmark}</span>
        <span>
          <span class="text-muted">{side(props.rescore.before)}</span> → {side(props.rescore.after)}
        </span>
        <Show when={counts().changed > 0} fallback={<span class="text-muted">nothing changed</span>}>
          <button type="button" class="underline" aria-expanded={open()} onClick={() => setOpen(!open())}>
            {count(counts().changed)} of {count(counts().trials)} changed
          </button>
        </Show>
        <For each={missed()}>
          {([reason, times]) => (
            <span class="text-papaya">
              {count(times)} not computed: {reason}
            </span>
          )}
        </For>
      </div>
      <p class="text-s text-faint">
        {moment(props.rescore.created_at)} · scorer version {props.rescore.from.version} → {props.rescore.to.version} · computed by{' '}
        {props.rescore.computed_by === 'edge'
          ? `this service ${props.rescore.code_version}`
          : `the owner’s machine, ${props.rescore.code_version}`}
      </p>
      <Show when={open()}>
        <Suspense fallback={<p class="text-s text-muted">Loading</p>}>
          <Differences run={props.run} rescore={props.rescore} />
        </Suspense>
      </Show>
    </li>
  )
}

function Differences(props: { run: string; rescore: Rescore }) {
  const answer = createAsync(() => getRescore(props.run, props.rescore.id))
  const page = () => {
    const got = answer()
    return got?.ok ? got.value : undefined
  }
  return (
    <Show when={page()} fallback={<p class="text-s text-papaya">{problemOf(answer())}</p>}>
      {(got) => (
        <>
          <ul class="mt-2 grid gap-0.5 text-s">
            <For each={got().differences}>
              {(one) => <Difference run={props.run} benchmark={props.rescore.benchmark} difference={one} />}
            </For>
          </ul>
          <Show when={got().next !== null}>
            <p class="text-s text-muted">and {count(got().total - got().differences.length)} more in the API</p>
          </Show>
        </>
      )}
    </Show>
  )
}

function Difference(props: { run: string; benchmark: string; difference: RescoreDifference }) {
  const { item_id, epoch } = props.difference
  return (
    <li class="flex flex-wrap gap-x-3">
      <A href={itemPath(props.run, props.benchmark, item_id, epoch)} noScroll class="underline">
        {item_id}
        {epoch > 0 ? `, epoch ${epoch}` : ''}
      </A>
      <span>
        <span class="text-muted">{sideText(props.difference.before)}</span> → {sideText(props.difference.after)}
      </span>
    </li>
  )
}

function sideText({ outcome, score, answer }: Scored): string {
  const partial = score !== null && score > 0 && score < 1 ? ` ${percent(score)}` : ''
  return `${outcome}${partial}${answer === null ? '' : ` “${answer.length > 60 ? `${answer.slice(0, 59)}…` : answer}”`}`
}

const problemOf = (answer: { ok: boolean; problem?: { detail: string } } | undefined) => answer?.problem?.detail ?? ''
