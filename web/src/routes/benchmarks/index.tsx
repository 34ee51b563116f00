import { A, createAsync } from '@solidjs/router'
import { For } from 'solid-js'
import { getBenchmarks } from '../../queries.ts'
import { count } from '../../ui/format.ts'
import { Labels, SampleReason } from '../../ui/label.tsx'
import { Note } from '../../ui/note.tsx'
import { Page } from '../../ui/page.tsx'
import { ProblemNote } from '../../ui/problem.tsx'
import { Show } from '../../ui/show.tsx'

/** What can be measured here. */
export default function Benchmarks() {
  const answer = createAsync(() => getBenchmarks(undefined))
  const all = () => {
    const got = answer()
    return got?.ok ? got.value.benchmarks : []
  }
  const problem = () => {
    const got = answer()
    return got && !got.ok ? got.problem : undefined
  }
  return (
    <Page title="Benchmarks" lead={count(all().length)}>
      <Show when={problem()}>{(got) => <ProblemNote problem={got()} page />}</Show>
      <Show when={all().some((one) => one.data_source === 'sample')}>
        <div class="mb-4">
          <Note calm title="Benchmarks marked sample data are asked on a few invented items here">
            <SampleReason />
          </Note>
        </div>
      </Show>
      <ul class="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
        <For each={all()}>
          {(one) => (
            <li class="box relative flex flex-col p-4 hover:border-line-strong">
              <div class="flex items-center justify-between gap-2">
                <h2 class="min-w-0 truncate font-semibold">
                  <A href={`/benchmarks/${one.name}`} class="stretch">
                    {one.display_name}
                  </A>
                </h2>
                <Show when={one.data_source !== 'pinned'}>
                  <Labels names={[one.data_source as 'sample' | 'override']} quiet />
                </Show>
              </div>
              <p class="mt-1 text-muted">{one.description}</p>
              <p class="mt-auto flex flex-wrap gap-x-4 pt-3 text-s text-faint">
                <span>{one.category}</span>
                <span>
                  {count(one.card.total_items)} items
                  {one.data_source === 'sample' ? `, ${count(one.card.sample_items)} in the sample` : ''}
                </span>
                <span>{profilesText(one.card.profiles.map(({ id }) => id))}</span>
                <Show when={one.lacks}>{(lacks) => <span class="text-papaya">needs {lacks()}</span>}</Show>
                <Show when={one.card.data.gated}>
                  <span class="text-papaya">gated</span>
                </Show>
              </p>
            </li>
          )}
        </For>
      </ul>
    </Page>
  )
}

/** `1 profile: built-in`, `5 profiles: terminus-2, …`. */
function profilesText(ids: readonly string[]): string {
  const names = ids.map((id) => (id === 'builtin' ? 'built-in' : id))
  return `${names.length} ${names.length === 1 ? 'profile' : 'profiles'}: ${names.slice(0, 4).join(', ')}${names.length > 4 ? ', …' : ''}`
}
