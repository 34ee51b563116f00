import { createSignal, For } from 'solid-js'
import { Run } from '#shared/contract/api.ts'
import { visibilities } from '#shared/contract/run.ts'
import Share2 from '~icons/lucide/share-2'
import { type ApiProblem, send } from '../api.ts'
import { Menu } from '../ui/menu.tsx'
import { Show } from '../ui/show.tsx'

type Visibility = (typeof visibilities)[number]

const choices: Record<Visibility, { title: string; text: string }> = {
  private: { title: 'Private', text: 'You and the operator' },
  link: { title: 'With the link', text: 'Everybody who has the address of this page' },
  public: { title: 'Public', text: 'Everybody: in lists and on leaderboards' },
}

/** Says who may read a run, and lets its owner change that. */
export function ShareMenu(props: { run: Run; changed: () => void }) {
  const [busy, setBusy] = createSignal(false)
  const [problem, setProblem] = createSignal<ApiProblem>()
  const share = async (visibility: Visibility) => {
    if (busy() || visibility === props.run.spec.visibility) return
    setBusy(true)
    const answer = await send(Run, `/api/runs/${props.run.id}`, { visibility }, { method: 'PATCH' })
    setBusy(false)
    setProblem(answer.ok ? undefined : answer.problem)
    if (answer.ok) props.changed()
  }
  return (
    <div class="relative">
      <Menu
        label={
          <>
            <Share2 size={15} aria-hidden="true" />
            <span role="status">{choices[props.run.spec.visibility].title}</span>
          </>
        }
      >
        <For each={visibilities.toReversed()}>
          {(one) => (
            <button
              type="button"
              aria-current={one === props.run.spec.visibility}
              onClick={() => void share(one)}
              class="block w-full rounded-[4px] px-3 py-2 text-left hover:bg-raised focus-visible:bg-raised"
            >
              <span class="font-medium">
                {choices[one].title}
                <Show when={one === props.run.spec.visibility}> (now)</Show>
              </span>
              <span class="block text-s text-muted">
                {one === 'private' && props.run.team ? 'Members of the team and the operator' : choices[one].text}
              </span>
            </button>
          )}
        </For>
      </Menu>
      <Show when={problem()}>
        {(told) => (
          <div role="alert" class="box absolute right-0 z-40 mt-1 w-72 p-3 text-s shadow-box">
            <p class="text-papaya">Nothing was changed. {told().detail}</p>
            <button type="button" class="btn mt-2" onClick={() => setProblem(undefined)}>
              Close
            </button>
          </div>
        )}
      </Show>
    </div>
  )
}
