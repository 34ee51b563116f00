import { A, createAsync, revalidate } from '@solidjs/router'
import { createSignal, For, Suspense } from 'solid-js'
import { ListingState, type RunListing, type RunPlace } from '#shared/contract/board.ts'
import { type ApiProblem, send } from '../api.ts'
import { getLeaderboard, getListing } from '../board/board-queries.ts'
import { moment } from '../ui/format.ts'
import { ProblemNote } from '../ui/problem.tsx'
import { Show } from '../ui/show.tsx'

const reasons: Record<NonNullable<RunPlace['reason']>, string> = {
  canceled: 'it was canceled',
  subset: 'it asked a part of the items',
  epochs: 'it asked them less often than its profile says',
  unfinished: 'it did not get through its plan',
  failures: 'too many of its trials failed',
}

/** On which leaderboards one's own ended run stands, and taking it from them; nothing where it has no score. */
export function RunBoards(props: { id: string }) {
  const answer = createAsync(() => getListing(props.id))
  const [problem, setProblem] = createSignal<ApiProblem>()
  const [busy, setBusy] = createSignal(false)
  const listing = () => {
    const got = answer()
    return got?.ok && got.value.places.length > 0 ? got.value : undefined
  }
  const list = async (listed: boolean) => {
    setBusy(true)
    const done = await send(ListingState, `/api/runs/${props.id}/leaderboard`, { listed }, { method: 'PUT' })
    setProblem(done.ok ? undefined : done.problem)
    if (done.ok) await Promise.all([revalidate(getListing.keyFor(props.id)), revalidate(getLeaderboard.key)])
    setBusy(false)
  }
  return (
    <Suspense>
      <Show when={listing()}>
        {(got) => (
          <section class="box px-4 py-2.5" aria-label="Leaderboard">
            <div class="flex flex-wrap items-baseline gap-x-4 gap-y-1">
              <Withdrawn withdrawn={got().withdrawn} />
              <For each={got().places}>{(place) => <Place place={place} listed={got().listed} />}</For>
              <Show when={got().withdrawn?.by !== 'operator'}>
                <button type="button" class="chip ml-auto hover:text-ink" disabled={busy()} onClick={() => void list(!got().listed)}>
                  {got().listed ? 'Withdraw from the leaderboard' : 'Put back on the leaderboard'}
                </button>
              </Show>
            </div>
            <Show when={problem()}>{(refused) => <ProblemNote problem={refused()} />}</Show>
          </section>
        )}
      </Show>
    </Suspense>
  )
}

function Withdrawn(props: Pick<RunListing, 'withdrawn'>) {
  return (
    <Show when={props.withdrawn} fallback={<span class="text-muted">On the leaderboard</span>}>
      {(got) => (
        <span class="text-papaya">
          Withdrawn from the leaderboard by {got().by === 'owner' ? 'you' : 'the operator'}, {moment(got().at)}
        </span>
      )}
    </Show>
  )
}

function Place(props: { place: RunPlace; listed: boolean }) {
  return (
    <span>
      <A href={`/leaderboard?benchmark=${encodeURIComponent(props.place.benchmark)}&board=${props.place.board}`} class="underline">
        {props.place.benchmark}
      </A>
      <Show when={props.listed && props.place.reason}>
        {(reason) => <span class="text-s text-muted"> not ranked: {reasons[reason()]}</span>}
      </Show>
    </span>
  )
}
