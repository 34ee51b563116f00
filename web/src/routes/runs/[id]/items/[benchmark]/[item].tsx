import { A, createAsync, type RouteSectionProps, useSearchParams } from '@solidjs/router'
import { HttpStatusCode } from '@solidjs/start'
import { Match, Switch } from 'solid-js'
import { readItemFilter } from '../../../../../item/item-filter.ts'
import { ItemPanel } from '../../../../../item/item-panel.tsx'
import { runPath } from '../../../../../paths.ts'
import { getItem } from '../../../../../queries.ts'
import { ProblemNote } from '../../../../../ui/problem.tsx'

/** Permalink of one item in one epoch; the filter in the address decides its neighbours. */
export default function ItemRoute(props: RouteSectionProps) {
  const [search] = useSearchParams()
  const filter = () => readItemFilter(search)
  const answer = createAsync(() => {
    const { id, benchmark, item } = props.params
    return getItem(id!, benchmark!, item!, Number(search.epoch ?? 0) || 0, filter())
  })
  const detail = () => {
    const got = answer()
    return got?.ok ? got.value : undefined
  }
  const problem = () => {
    const got = answer()
    return got && !got.ok ? got.problem : undefined
  }
  return (
    <Switch>
      <Match when={detail()}>{(got) => <ItemPanel runId={props.params.id!} detail={got()} filter={filter()} />}</Match>
      <Match when={problem()}>
        {(got) => (
          <div class="p-5">
            <HttpStatusCode code={got().status >= 400 ? got().status : 502} />
            <ProblemNote problem={got()}>
              <A class="btn" href={runPath(props.params.id!, filter())}>
                Close
              </A>
            </ProblemNote>
          </div>
        )}
      </Match>
    </Switch>
  )
}
