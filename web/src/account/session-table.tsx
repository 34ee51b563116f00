import { createAsync, revalidate } from '@solidjs/router'
import { createSignal, For } from 'solid-js'
import { Done } from '#shared/contract/api.ts'
import { type ApiProblem, send } from '../api.ts'
import { moment } from '../ui/format.ts'
import { Show } from '../ui/show.tsx'
import { getAudit, getSessions } from './account-queries.ts'
import { browserName } from './browser-name.ts'
import { ProblemFoot } from './problem-foot.tsx'
import { getSignIn } from './sign-in-query.ts'

/** Lists the browser sessions of the user, each with a button that ends it. */
export function SessionTable() {
  const answer = createAsync(() => getSessions())
  const [problem, setProblem] = createSignal<ApiProblem>()
  const sessions = () => {
    const got = answer()
    return got?.ok ? got.value.sessions : []
  }
  const end = async (id: string) => {
    const done = await send(Done, `/api/auth/sessions/${encodeURIComponent(id)}`, {}, { method: 'DELETE' })
    setProblem(done.ok ? undefined : done.problem)
    await revalidate([getSessions.key, getSignIn.key, getAudit.key])
  }
  return (
    <section class="box overflow-hidden" aria-label="Browsers">
      <h2 class="px-5 pt-4 pb-2 font-semibold">Browsers</h2>
      <ul>
        <For each={sessions()}>
          {(one) => (
            <li class="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-5 py-3">
              <div class="min-w-0 flex-1">
                <span class="font-medium" title={one.browser}>
                  {browserName(one.browser)}
                </span>
                <Show when={one.current}>
                  <span class="ml-2 text-s text-moss">this one</span>
                </Show>
                <span class="block text-s text-muted">
                  since {moment(one.created_at)}, used {moment(one.used_at)}, ends {moment(one.expires_at)}
                </span>
              </div>
              <Show when={!one.current}>
                <button type="button" class="btn" onClick={() => void end(one.id)}>
                  Sign out
                </button>
              </Show>
            </li>
          )}
        </For>
      </ul>
      <ProblemFoot problem={problem()} />
    </section>
  )
}
