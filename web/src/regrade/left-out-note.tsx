import { A } from '@solidjs/router'
import { For } from 'solid-js'
import type { RegradeStarted } from '#shared/contract/regrade.ts'
import { runPath } from '../paths.ts'
import { count } from '../ui/format.ts'

/** Episodes named under one reason, at most. */
const mostNamed = 5

/** What a run that grades again leaves out, by reasons, before one goes there. */
export function LeftOutNote(props: { started: RegradeStarted }) {
  const reasons = () => [...Map.groupBy(props.started.left_out, ({ why }) => why)]
  return (
    <div class="box fixed right-4 bottom-16 z-50 w-[min(28rem,calc(100vw-2rem))] px-4 py-3 shadow-box sm:bottom-4" role="status">
      <p>{props.started.message}.</p>
      <ul class="my-2 grid max-h-48 gap-1 overflow-auto text-s text-muted">
        <For each={reasons()}>
          {([why, all]) => (
            <li class="[overflow-wrap:anywhere]">
              {count(all.length)}: {why} (
              {all
                .slice(0, mostNamed)
                .map(({ source_id, item_id, epoch }) => `${source_id ?? item_id}, epoch ${epoch + 1}`)
                .join('; ')}
              {all.length > mostNamed ? '; …' : ''})
            </li>
          )}
        </For>
      </ul>
      <A class="link" href={runPath(props.started.run_id)}>
        To the run that grades
      </A>
    </div>
  )
}
