import { A, createAsync, type RouteSectionProps } from '@solidjs/router'
import { Switch } from 'solid-js'
import { TaskPage } from '../../task/task-page.tsx'
import { getTask } from '../../task/task-queries.ts'
import { createKept } from '../../ui/kept.ts'
import { Page } from '../../ui/page.tsx'
import { ProblemNote } from '../../ui/problem.tsx'
import { Match, Show } from '../../ui/show.tsx'

export const route = { preload: ({ params }: { params: Record<string, string | undefined> }) => void getTask(params.id!) }

export default function TaskRoute(props: RouteSectionProps) {
  const answer = createAsync(() => getTask(props.params.id!))
  // What was there stays in view while the server is away.
  const kept = createKept(() => props.params.id!, answer)
  return (
    <Switch>
      <Match when={kept().value}>
        {(got) => (
          // Another task is another page: nothing of the former may stay.
          <Show when={got().id} keyed>
            {(_id) => <TaskPage task={got()} kept={kept()} />}
          </Show>
        )}
      </Match>
      <Match when={kept().problem}>
        {(got) => (
          <Page title="Task">
            <ProblemNote problem={got()} page>
              <A class="btn" href="/tasks">
                All tasks
              </A>
            </ProblemNote>
          </Page>
        )}
      </Match>
    </Switch>
  )
}
