import { createAsync, type RouteSectionProps } from '@solidjs/router'
import { Switch } from 'solid-js'
import { getRun } from '../../queries.ts'
import { RunPage } from '../../run/run-page.tsx'
import { createKept } from '../../ui/kept.ts'
import { Page } from '../../ui/page.tsx'
import { ProblemNote } from '../../ui/problem.tsx'
import { Match, Show } from '../../ui/show.tsx'

export const route = { preload: ({ params }: { params: Record<string, string | undefined> }) => void getRun(params.id!) }

export default function RunRoute(props: RouteSectionProps) {
  const answer = createAsync(() => getRun(props.params.id!))
  // A live run stays in view while the server is away; its own note says so.
  const kept = createKept(() => props.params.id!, answer)
  const run = () => kept().value
  const problem = () => kept().problem
  return (
    <Switch>
      <Match when={run()}>
        {(got) => (
          // Another run is another page: nothing of the former may stay.
          <Show when={got().id} keyed>
            {(_id) => <RunPage run={got()} panel={props.children} />}
          </Show>
        )}
      </Match>
      <Match when={problem()}>
        {(got) => (
          <Page title="Run">
            <ProblemNote problem={got()} page>
              <a class="btn" href="/runs">
                All runs
              </a>
            </ProblemNote>
          </Page>
        )}
      </Match>
    </Switch>
  )
}
