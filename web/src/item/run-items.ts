import { useLocation, useSearchParams } from '@solidjs/router'
import { createMemo } from 'solid-js'
import type { Run } from '#shared/contract/api.ts'
import { isTerminal, type RunHead } from '#shared/contract/run.ts'
import type { FeedRow } from '../live-state.ts'
import { itemInPath, readItemFilter } from './item-filter.ts'
import { createItemPages, type ListFilter } from './item-pages.ts'
import { createNewResults } from './new-results.ts'
import { createOpenItem } from './open-item.ts'

/** Everything the list of a run's items and the item open beside it share: filter and open item as the address says them, pages, places, news. */
export function createRunItems(props: { run: Run; head: () => RunHead; feed: () => readonly FeedRow[] }) {
  const [search] = useSearchParams()
  const location = useLocation()
  const { run } = props
  // A run that lived when the page was opened keeps its order to the end.
  const usual = isTerminal(run.head.status) ? 'plan' : 'finished'
  const chosen = createMemo(() => readItemFilter(search))
  const filter = createMemo((): ListFilter => ({ ...chosen(), order: chosen().order ?? usual }))
  const name = createMemo(() => itemInPath(location.pathname, search.epoch))
  const alive = () => !isTerminal(props.head().status)
  const pages = createItemPages({ runId: run.id, filter, around: name, alive })
  const open = createOpenItem({ runId: run.id, pages, filter, chosen, name })
  const fresh = createNewResults({ pages, filter, open: () => name() !== undefined, head: props.head, feed: props.feed })
  return { filter, chosen, pages, open, fresh }
}
