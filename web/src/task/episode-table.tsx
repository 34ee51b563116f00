import { For } from 'solid-js'
import type { TaskEpisode } from '#shared/contract/task-upload.ts'
import { itemPath } from '../paths.ts'
import { duration } from '../ui/format.ts'
import { EpisodeMark } from '../ui/mark.tsx'
import { Show } from '../ui/show.tsx'
import { rewardText } from './episode-line.ts'

const linkWords: Record<TaskEpisode['status'], string> = {
  pending: 'Open',
  running: 'Watch live',
  passed: 'Replay',
  failed: 'Replay',
  error: 'Open',
  timeout: 'Replay',
}

/** Episodes of a run, each a link to its item's page, where its terminal is watched while it works and replayed afterwards. */
export function EpisodeTable(props: { episodes: readonly TaskEpisode[]; label: string }) {
  return (
    <table class="w-full table-fixed">
      <caption class="sr-only">{props.label}</caption>
      <thead class="text-s text-faint">
        <tr class="border-y border-line">
          <th scope="col" class="w-16 py-1.5 pl-4">
            <abbr title="Episode" class="no-underline">
              No.
            </abbr>
          </th>
          <th scope="col" class="w-32 py-1.5 @max-xl:w-auto">
            State
          </th>
          <th scope="col" class="w-20 py-1.5 text-right">
            Reward
          </th>
          <th scope="col" class="w-28 py-1.5 text-right @max-xl:w-20 @max-xl:pr-4">
            Time
          </th>
          <th scope="col" class="py-1.5 pl-6 @max-xl:hidden">
            What happened
          </th>
          <th scope="col" class="w-28 py-1.5 pr-4 text-right @max-xl:hidden">
            Terminal
          </th>
        </tr>
      </thead>
      <tbody>
        <For each={props.episodes.map(({ id }) => id)}>
          {(id) => <Show when={props.episodes.find((one) => one.id === id)}>{(one) => <EpisodeRow one={one()} />}</Show>}
        </For>
      </tbody>
    </table>
  )
}

function EpisodeRow(props: { one: TaskEpisode }) {
  const one = () => props.one
  return (
    <tr class="relative h-9 [&>td]:py-1 not-last:border-b border-line hover:bg-raised">
      <th scope="row" class="pl-4 font-normal">
        <a href={itemPath(one().run_id, one().benchmark, one().item, one().epoch)} class="stretch">
          {one().run_number}
        </a>
      </th>
      <td>
        <EpisodeMark status={one().status} />
        <span class="hidden text-s text-muted [overflow-wrap:anywhere] empty:hidden @max-xl:line-clamp-3 @max-xl:empty:hidden">
          {whatHappened(one())}
        </span>
      </td>
      <td class="text-right">{rewardText(one().reward)}</td>
      <td class="text-right text-muted @max-xl:pr-4">{one().duration_seconds === null ? '–' : duration(one().duration_seconds! * 1000)}</td>
      <td class="truncate pl-6 text-muted @max-xl:hidden" title={one().error_message ?? undefined}>
        {whatHappened(one())}
      </td>
      <td class="pr-4 text-right text-s text-muted @max-xl:hidden" aria-hidden="true">
        {linkWords[one().status]}
      </td>
    </tr>
  )
}

function whatHappened({ error_message, tests_passed, tests_total }: TaskEpisode): string {
  // Of a log, such as a build's, the end says what the matter was.
  if (error_message) return error_message.trim().split('\n').at(-1)!
  return tests_total === null ? '' : `${tests_passed ?? 0} of ${tests_total} tests passed`
}
