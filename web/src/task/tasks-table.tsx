import { A } from '@solidjs/router'
import { For, Show } from 'solid-js'
import { countText, limitsText, meaningOf } from '#shared/metrics/score-text.ts'
import { taskPath } from '../paths.ts'
import { ProgressBar } from '../run/progress-bar.tsx'
import { age, bytesText, count, moment, percent } from '../ui/format.ts'
import { TaskMark } from '../ui/mark.tsx'
import { useNow } from '../ui/now.ts'
import { passRate } from './pass-rate.ts'
import type { ListedTask } from './task-queries.ts'

type Props = {
  tasks: readonly ListedTask[]
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
            <th scope="col" class="w-32 py-2 @max-2xl:w-8">
              <span class="@max-2xl:sr-only">State</span>
            </th>
            <th scope="col" class="py-2">
              Task
            </th>
            <th scope="col" class="w-44 py-2 text-right @max-2xl:w-28 @max-2xl:pr-4">
              Passed<span class="@max-2xl:hidden">, newest run</span>
            </th>
            <th scope="col" class="w-36 py-2 pl-6 @max-3xl:hidden">
              Episodes
            </th>
            <th scope="col" class="w-28 py-2 pr-4 text-right @max-2xl:hidden">
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

function TaskRow(props: Props & { task: ListedTask; now: number }) {
  const broken = () => props.task.latest?.errors ?? 0
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
        <span class="block truncate text-s text-muted">{props.task.opening}</span>
        <span class="hidden text-s text-faint @max-2xl:block">{age(props.task.created_at, props.now)}</span>
      </th>
      <td class="py-1.5 text-right @max-2xl:pr-4">
        <Show when={props.task.latest} fallback={<span class="text-faint">–</span>}>
          {(run) => <Rate task={props.task} run={run()} />}
        </Show>
      </td>
      <td class="pl-6 @max-3xl:hidden">
        <span
          class="text-s text-muted"
          title={broken() > 0 ? `${count(broken())} of the newest run broken, not counted as not passed` : undefined}
        >
          {props.task.total_runs === 0 ? 'none yet' : `${count(props.task.passed_runs)} of ${count(props.task.total_runs)} passed`}
        </span>
        <Show when={props.task.latest}>
          {(run) => (
            <ProgressBar tally={{ right: run().passed, wrong: run().failed, failed: run().errors }} total={run().episodes} class="mt-1" />
          )}
        </Show>
      </td>
      <td class="pr-4 text-right text-muted @max-2xl:hidden" title={`${moment(props.task.created_at)}, ${bytesText(props.task.file_size)}`}>
        {age(props.task.created_at, props.now)}
      </td>
    </tr>
  )
}

/** How the newest run did, and who worked in it: rates of several solvers together would mean nothing. */
function Rate(props: { task: ListedTask; run: NonNullable<ListedTask['latest']> }) {
  const estimate = () => passRate(props.run)
  return (
    <>
      <span class="font-semibold whitespace-nowrap">{percent(estimate().value)}</span>
      <span class="block text-s whitespace-nowrap text-muted empty:hidden" title={meaningOf(estimate())}>
        {estimate().value !== null && [limitsText(estimate()), countText(estimate())].filter(Boolean).join(' · ')}
      </span>
      <span class="block truncate text-s text-faint" title={`${props.run.agent} ${props.run.model}`}>
        {props.run.agent === props.run.model ? props.run.agent : `${props.run.agent} · ${props.run.model}`}
      </span>
    </>
  )
}
