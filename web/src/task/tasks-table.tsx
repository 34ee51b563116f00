import { A } from '@solidjs/router'
import { For } from 'solid-js'
import type { UploadedTask } from '#shared/contract/task-upload.ts'
import { countText, limitsText, meaningOf } from '#shared/metrics/score-text.ts'
import { taskPath } from '../paths.ts'
import { ProgressBar } from '../run/progress-bar.tsx'
import { age, bytesText, count, moment } from '../ui/format.ts'
import { TaskMark } from '../ui/mark.tsx'
import { useNow } from '../ui/now.ts'
import { Show } from '../ui/show.tsx'
import { rewardText } from './episode-line.ts'

type Props = {
  tasks: readonly UploadedTask[]
  chosen: ReadonlySet<string>
  choose: (id: string, on: boolean) => void
}

/** Uploaded tasks as rows, each one a link; what is ticked is started together. */
export function TasksTable(props: Props) {
  const now = useNow(30_000)
  return (
    <div class="box @container overflow-hidden">
      <table class="w-full table-fixed">
        <caption class="sr-only">Tasks, newest first</caption>
        <thead class="text-s text-faint">
          <tr class="border-b border-line">
            <th scope="col" class="w-10 py-2 pl-4">
              <span class="sr-only">Chosen</span>
            </th>
            <th scope="col" class="w-28 py-2 @max-2xl:w-8">
              <span class="@max-2xl:sr-only">State</span>
            </th>
            <th scope="col" class="py-2">
              Task
            </th>
            <th scope="col" class="w-40 py-2 text-right @max-2xl:w-28 @max-2xl:pr-4">
              <abbr
                title="Mean reward of the graded episodes of its newest run, with the limits of the 95 % interval; every run’s stands on the task’s page"
                class="no-underline"
              >
                Last run
              </abbr>
            </th>
            <th scope="col" class="w-36 py-2 pl-6 @max-3xl:hidden">
              Episodes
            </th>
            <th scope="col" class="w-24 py-2 pr-4 text-right @max-2xl:hidden">
              Uploaded
            </th>
          </tr>
        </thead>
        <tbody>
          <For each={props.tasks}>{(task) => <TaskRow {...props} task={task} now={now()} />}</For>
        </tbody>
      </table>
    </div>
  )
}

function TaskRow(props: Props & { task: UploadedTask; now: number }) {
  /** Those that passed, and those that did not or broke. */
  const ended = () => props.task.passed_runs + props.task.failed_runs
  const graded = () => {
    const estimate = props.task.latest?.estimate
    return estimate && estimate.value !== null ? estimate : undefined
  }
  return (
    <tr class="relative h-14 not-last:border-b border-line hover:bg-raised">
      <td class="pl-4">
        <input
          type="checkbox"
          class="relative z-10 size-4 accent-[var(--c-moss)]"
          aria-label={`Choose ${props.task.name}`}
          checked={props.chosen.has(props.task.id)}
          onChange={(event) => props.choose(props.task.id, event.currentTarget.checked)}
        />
      </td>
      <td>
        <span class="@max-2xl:hidden">
          <TaskMark status={props.task.status} />
        </span>
        <span class="hidden @max-2xl:block">
          <TaskMark status={props.task.status} bare />
        </span>
      </td>
      <th scope="row" class="overflow-hidden py-2 pr-2 font-normal">
        <span class="flex items-center gap-x-2">
          <A href={taskPath(props.task.id)} class="stretch min-w-0 truncate font-medium" title={props.task.name}>
            {props.task.name}
          </A>
          <Show when={!props.task.runnable}>
            <span class="shrink-0 text-s text-papaya">cannot run here</span>
          </Show>
        </span>
        <span class="block truncate text-s text-muted">{plainOpening(props.task.opening)}</span>
        <span class="hidden text-s text-faint @max-2xl:block">{age(props.task.created_at, props.now)}</span>
      </th>
      <td class="py-1.5 text-right @max-2xl:pr-4">
        <Show when={graded()} fallback={<span class="text-faint">–</span>}>
          {(estimate) => (
            <>
              <span class="font-semibold whitespace-nowrap" title={meaningOf(estimate())}>
                {rewardText(estimate().value)} <span class="font-normal text-muted">{countText(estimate())}</span>
              </span>
              <span class="block text-s text-muted">{limitsText(estimate())}</span>
            </>
          )}
        </Show>
      </td>
      <td class="pl-6 @max-3xl:hidden">
        <span class="text-s text-muted">
          {props.task.total_runs === 0 ? 'none yet' : `${count(ended())} of ${count(props.task.total_runs)} done`}
        </span>
        <Show when={props.task.total_runs > 0}>
          <ProgressBar
            tally={{ right: props.task.passed_runs, wrong: props.task.failed_runs, failed: 0 }}
            total={props.task.total_runs}
            class="mt-1"
          />
        </Show>
      </td>
      <td class="pr-4 text-right text-muted @max-2xl:hidden" title={`${moment(props.task.created_at)}, ${bytesText(props.task.file_size)}`}>
        {age(props.task.created_at, props.now)}
      </td>
    </tr>
  )
}

/** The first words of an instruction without the signs that Markdown sets. */
const plainOpening = (text: string): string => text.replace(/^#+\s*|[`*]+/gm, '')
