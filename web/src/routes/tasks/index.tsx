import { createAsync, revalidate, useNavigate, useSearchParams } from '@solidjs/router'
import { createMemo, onCleanup, onMount } from 'solid-js'
import { type TaskExecuted, UploadedTask } from '#shared/contract/task-upload.ts'
import { taskPath } from '../../paths.ts'
import { createChoice } from '../../task/kept-choice.ts'
import { SampleTasks } from '../../task/sample-tasks.tsx'
import { StartCard } from '../../task/start-card.tsx'
import { chosenText, runnersOnly } from '../../task/start-choice.ts'
import { readTaskFilter, type TaskFilter, taskQuery, tasksPerPage } from '../../task/task-filter.ts'
import { getTasks, mostSearched } from '../../task/task-queries.ts'
import { TaskRecipe } from '../../task/task-recipe.tsx'
import { TasksFilters } from '../../task/tasks-filters.tsx'
import { TasksTable } from '../../task/tasks-table.tsx'
import { uploadForm } from '../../task/upload-file.ts'
import { UploadList } from '../../task/upload-list.tsx'
import { createUploads, isUnderWay } from '../../task/upload-queue.ts'
import { mayIn } from '../../team/may-in.ts'
import { DropZone } from '../../ui/drop-zone.tsx'
import { count } from '../../ui/format.ts'
import { createKept } from '../../ui/kept.ts'
import { KeptProblem } from '../../ui/kept-problem.tsx'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Show } from '../../ui/show.tsx'
import { RowsSkeleton } from '../../ui/skeleton.tsx'

const refreshMs = 10_000
/** What is proposed where neither the address nor a task says it. */
const proposed = { agent: 'terminus-2', episodes: 10 }

/** Tasks of one's own: archives are dropped, looked at, and worked at by a solver of choice; what is chosen stands in the address. */
export default function Tasks() {
  const [search, setSearch] = useSearchParams()
  const navigate = useNavigate()
  const filter = createMemo(() => readTaskFilter(search))
  const [chosen, choose] = createChoice()
  const answer = createAsync(() => getTasks(filter()))
  const kept = createKept(() => JSON.stringify(filter()), answer)
  const list = () => kept().value
  const narrowed = () => filter().q !== undefined || filter().status !== undefined || filter().team !== undefined
  const narrow = (change: Partial<TaskFilter>) =>
    setSearch(taskQuery({ ...filter(), skip: 0, ...change }), { replace: true, scroll: false })
  const tick = (id: string, on: boolean) => choose({ tasks: on ? [...chosen().tasks, id] : chosen().tasks.filter((one) => one !== id) })
  // Uploads go on when the page is left; then there is nothing to tick.
  let left = false
  onCleanup(() => {
    left = true
  })
  const uploads = createUploads<UploadedTask>(
    (file, watch) => {
      const form = new FormData()
      form.set('file', file)
      const { team } = filter()
      if (team) form.set('team', team)
      return uploadForm(UploadedTask, '/api/tasks', form, watch)
    },
    ({ id, runnable }) => {
      if (left) return
      if (runnable && !chosen().tasks.includes(id)) tick(id, true)
      void revalidate(getTasks.key)
    },
  )
  const uploading = () => uploads.uploads().filter(isUnderWay).length
  // Names of what is ticked are known from the list and from what was just uploaded; others are on other pages of the list.
  const known = createMemo(() => [
    ...(list()?.rows ?? []),
    ...uploads.uploads().flatMap(({ state }) => (state.kind === 'stored' ? [state.stored] : [])),
  ])
  const targets = createMemo(() =>
    chosen().tasks.map((id) => known().find((one) => one.id === id) ?? { id, name: `task ${id.slice(0, 8)}`, runnable: true, team: null }),
  )
  const started = (done: TaskExecuted[]) => {
    void revalidate(getTasks.key)
    if (done.length === 1 && targets().length === 1) return navigate(taskPath(done[0]!.task_id))
    choose({ tasks: chosen().tasks.filter((id) => !done.some((one) => one.task_id === id)) })
  }
  keepFresh(() => kept().problem !== undefined || list()?.rows.some(({ status }) => status === 'running') === true, uploading)
  return (
    <Page title="Tasks" lead={<Show when={list()}>{(got) => <>{count(got().total)}</>}</Show>}>
      <div class="grid grid-cols-[minmax(0,1fr)] gap-5 lg:grid-cols-[minmax(0,1fr)_21rem] lg:grid-rows-[auto_1fr]">
        <div class="grid grid-cols-[minmax(0,1fr)] content-start gap-3">
          <DropZone accept=".zip,application/zip" several class="py-6" drop={uploads.add}>
            <span class="font-medium">Drop archives of tasks here, or choose some</span>
            <span class="text-s text-faint">
              a ZIP each, of a task’s folder in Harbor’s format; at most 100 MiB{filter().team ? '; they belong to the chosen team' : ''}
            </span>
          </DropZone>
          <Show when={(list()?.total ?? 0) > 0}>
            <SampleTasks />
          </Show>
          <Show when={uploads.uploads().length > 0}>
            <UploadList uploads={uploads} />
          </Show>
        </div>
        {/* On a narrow page the form stands below the list that it speaks of; while there is no task, how one is made comes first. */}
        <div class={`max-lg:order-last lg:row-span-2 ${list()?.total === 0 && !narrowed() ? 'max-lg:hidden' : ''}`}>
          <div class="lg:sticky lg:top-[4.75rem]">
            <StartCard
              targets={targets()}
              lead={chosenText(targets().map(({ name }) => name))}
              choice={{ ...chosen(), agent: chosen().agent ?? proposed.agent, episodes: chosen().episodes ?? proposed.episodes }}
              uploading={uploading()}
              hindered={({ runnable, team }) => (!runnable ? 'Cannot run here' : mayIn(team, 'work') ? undefined : runnersOnly)}
              change={choose}
              started={started}
            />
          </div>
        </div>
        <div class="grid grid-cols-[minmax(0,1fr)] content-start gap-3">
          <Show when={narrowed() || (list()?.total ?? 1) > 0} fallback={<TaskRecipe />}>
            <TasksFilters filter={filter()} set={narrow} />
          </Show>
          <KeptProblem kept={kept()} />
          <Show when={!list() && !kept().problem}>
            <RowsSkeleton rows={8} />
          </Show>
          <Show when={list()?.rows.length}>
            <TasksTable tasks={list()!.rows} chosen={new Set(chosen().tasks)} choose={tick} />
          </Show>
          <Show when={list() && list()!.rows.length === 0 && (narrowed() || list()!.total > 0)}>
            <NoneFits beyond={list()!.total > 0} all={() => narrow({ q: undefined, status: undefined, team: undefined })} />
          </Show>
          <Show when={(list()?.searched ?? 0) > mostSearched}>
            <p class="text-s text-muted">
              Searched are the newest {count(mostSearched)} of {count(list()!.searched)} tasks.
            </p>
          </Show>
          <Pager size={tasksPerPage} offset={filter().skip} total={list()?.total ?? 0} set={(skip) => narrow({ skip })} />
        </div>
      </div>
    </Page>
  )
}

/** Asks for the list again while something in it moves, and holds up who would close the page under an upload. */
function keepFresh(moves: () => boolean, uploading: () => number): void {
  onMount(() => {
    const timer = setInterval(() => !document.hidden && moves() && void revalidate(getTasks.key), refreshMs)
    const stay = (event: BeforeUnloadEvent) => uploading() > 0 && event.preventDefault()
    window.addEventListener('beforeunload', stay)
    onCleanup(() => {
      clearInterval(timer)
      window.removeEventListener('beforeunload', stay)
    })
  })
}

function NoneFits(props: { beyond: boolean; all: () => void }) {
  return (
    <div class="box flex flex-col items-center gap-3 px-4 py-12 text-center">
      <p class="text-muted">{props.beyond ? 'No tasks on this page.' : 'No task fits this filter.'}</p>
      <button type="button" class="btn" onClick={() => props.all()}>
        Show all tasks
      </button>
    </div>
  )
}
