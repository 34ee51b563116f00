import { A, createAsync } from '@solidjs/router'
import { For, Suspense } from 'solid-js'
import { runPath } from '../paths.ts'
import { count, moment } from '../ui/format.ts'
import { Show } from '../ui/show.tsx'
import { getRegrades } from './regrade-queries.ts'

/** The runs that graded the episodes of this one again; nothing where there is none. */
export function RunRegrades(props: { id: string }) {
  const answer = createAsync(() => getRegrades(props.id))
  const list = () => {
    const got = answer()
    return got?.ok && got.value.regrades.length > 0 ? got.value.regrades : undefined
  }
  return (
    <Suspense>
      <Show when={list()}>
        {(regrades) => (
          <section class="box px-4 py-2.5" aria-label="Graded again by">
            <ul class="grid gap-1">
              <For each={regrades()}>
                {(one) => (
                  <li class="flex flex-wrap gap-x-3">
                    <A class="link" href={runPath(one.run_id)}>
                      Graded again, {moment(one.created_at)}
                    </A>
                    <span class="text-muted">
                      {count(one.episodes)} {one.episodes === 1 ? 'episode' : 'episodes'}, {one.status}
                    </span>
                  </li>
                )}
              </For>
            </ul>
          </section>
        )}
      </Show>
    </Suspense>
  )
}
