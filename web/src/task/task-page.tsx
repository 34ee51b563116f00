import { Title } from '@solidjs/meta'
import { A, revalidate, useNavigate } from '@solidjs/router'
import { createMemo, createSignal, For } from 'solid-js'
import { Done } from '#shared/contract/api.ts'
import { TaskRetried, type UploadedTaskDetail } from '#shared/contract/task-upload.ts'
import ChevronLeft from '~icons/lucide/chevron-left'
import RotateCcw from '~icons/lucide/rotate-ccw'
import Trash from '~icons/lucide/trash'
import { type ApiProblem, ask, send } from '../api.ts'
import { taskApiPath } from '../paths.ts'
import { mayIn } from '../team/may-in.ts'
import { ConfirmButton } from '../ui/confirm.tsx'
import { FactList } from '../ui/fact-list.tsx'
import { count } from '../ui/format.ts'
import type { Kept } from '../ui/kept.ts'
import { KeptProblem } from '../ui/kept-problem.tsx'
import { TaskMark } from '../ui/mark.tsx'
import { Note } from '../ui/note.tsx'
import { useNow } from '../ui/now.ts'
import { ProblemNote } from '../ui/problem.tsx'
import { Show } from '../ui/show.tsx'
import { ExecutionBox } from './execution-box.tsx'
import { Instruction } from './instruction.tsx'
import { createChoice } from './kept-choice.ts'
import { StartCard } from './start-card.tsx'
import { runnersOnly } from './start-choice.ts'
import { getEpisodes, getTask, getTasks } from './task-queries.ts'
import { originFacts, wantedFacts, whatHinders } from './task-wants.ts'

/** A task: what it asks and wants, whether it can run here, its runs with every episode, and the card that starts more. */
export function TaskPage(props: { task: UploadedTaskDetail; kept: Kept<unknown> }) {
  const [chosen, choose] = createChoice()
  const now = useNow(5000)
  const refresh = () => revalidate([getTask.keyFor(props.task.id), getEpisodes.key, getTasks.key])
  const [problem, setProblem] = createSignal<ApiProblem>()
  const choice = createMemo(() => ({
    ...chosen(),
    agent: chosen().agent ?? props.task.agent,
    model: chosen().model ?? props.task.model ?? undefined,
    // A provider belongs to the model that it was chosen with.
    provider: chosen().provider ?? (chosen().model === undefined ? (props.task.provider ?? undefined) : undefined),
    episodes: chosen().episodes ?? props.task.num_runs,
  }))
  const facts = () => props.task.facts
  return (
    <>
      <Title>{`${props.task.name} · Bench Runner`}</Title>
      <TaskHeader task={props.task} failed={setProblem} changed={refresh} />
      <div class="grid grid-cols-[minmax(0,1fr)] gap-5 px-4 py-5 sm:px-6 lg:grid-cols-[minmax(0,1fr)_21rem] lg:grid-rows-[auto_1fr]">
        <div class="grid grid-cols-[minmax(0,1fr)] content-start gap-5">
          <KeptProblem kept={props.kept} />
          <Show when={problem()}>{(got) => <ProblemNote problem={got()} />}</Show>
          <Hindrances task={props.task} />
          <Show when={facts().description}>
            <p class="max-w-[75ch] text-l">{facts().description}</p>
          </Show>
          <Instruction text={facts().instruction} cut={facts().instruction_cut} />
        </div>
        {/* Beside everything on wide screens; on narrow ones what starts episodes comes before them, and what the task wants after. */}
        <div class="content-start gap-5 max-lg:contents lg:row-span-2 lg:grid lg:grid-cols-[minmax(0,1fr)]">
          <StartCard
            targets={[props.task]}
            choice={choice()}
            uploading={0}
            hindered={(_task, agent) => (mayIn(props.task.team, 'work') ? whatHinders(facts(), agent) : runnersOnly)}
            change={choose}
            started={() => void refresh()}
          />
          <TaskAbout task={props.task} />
        </div>
        <Executions task={props.task} now={now()} changed={() => void refresh()} />
      </div>
    </>
  )
}

/** What its machine must have and where it comes from. */
function TaskAbout(props: { task: UploadedTaskDetail }) {
  const facts = () => props.task.facts
  return (
    <div class="grid grid-cols-[minmax(0,1fr)] content-start gap-5 max-lg:order-1">
      <section aria-label="What it wants" class="box p-4">
        <h2 class="mb-2 font-semibold">What it wants</h2>
        <FactList facts={wantedFacts(facts())} />
      </section>
      <section aria-label="Where it comes from" class="box p-4">
        <h2 class="mb-2 font-semibold">Where it comes from</h2>
        <FactList facts={originFacts(props.task, facts())} />
        <Show when={facts().warnings.length}>
          <ul class="mt-3 grid list-disc gap-1 pl-4 text-s text-muted">
            <For each={facts().warnings}>{(one) => <li class="break-words">{one}</li>}</For>
          </ul>
        </Show>
      </section>
    </div>
  )
}

type HeaderProps = { task: UploadedTaskDetail; failed: (problem: ApiProblem | undefined) => void; changed: () => unknown }

function TaskHeader(props: HeaderProps) {
  const navigate = useNavigate()
  const [busy, setBusy] = createSignal(false)
  const broken = () => props.task.executions.reduce((sum, { errors }) => sum + errors, 0)
  const open = () => props.task.status === 'running'
  const remove = async () => {
    setBusy(true)
    const answer = await ask(Done, taskApiPath(props.task.id), { method: 'DELETE' })
    setBusy(false)
    props.failed(answer.ok ? undefined : answer.problem)
    if (!answer.ok) return
    void revalidate(getTasks.key)
    navigate('/tasks')
  }
  const retry = async () => {
    setBusy(true)
    const answer = await send(TaskRetried, taskApiPath(props.task.id, '/retry'))
    setBusy(false)
    props.failed(answer.ok ? undefined : answer.problem)
    await props.changed()
  }
  return (
    <header class="sticky top-0 z-30 flex min-h-14 flex-wrap items-center gap-x-3 gap-y-2 border-b border-line bg-bg px-4 py-2 sm:px-6">
      <A href="/tasks" class="text-muted hover:text-ink" aria-label="All tasks">
        <ChevronLeft size={18} aria-hidden="true" />
      </A>
      <h1 class="min-w-0 truncate text-l font-semibold" title={props.task.name}>
        {props.task.name}
      </h1>
      <TaskMark status={props.task.status} />
      <Show when={props.task.team}>{(team) => <span class="chip max-w-40 truncate">{team().name}</span>}</Show>
      <div class="ml-auto flex flex-wrap items-center gap-2">
        <Show when={broken() > 0 && !open() && mayIn(props.task.team, 'work')}>
          <button type="button" class="btn" disabled={busy()} onClick={() => void retry()}>
            <RotateCcw size={15} aria-hidden="true" />
            Retry {count(broken())} broken
          </button>
        </Show>
        <Show when={mayIn(props.task.team, 'manage')}>
          <ConfirmButton question={deleteQuestion(props.task)} yes="Delete the task" disabled={busy()} act={() => void remove()}>
            <Trash size={15} aria-hidden="true" />
            <span class="max-sm:sr-only">Delete</span>
          </ConfirmButton>
        </Show>
      </div>
    </header>
  )
}

function deleteQuestion({ total_runs }: UploadedTaskDetail): string {
  return total_runs === 0 ? 'It was never run.' : `Its files go; the ${count(total_runs)} episodes stay with their runs.`
}

/** Why it cannot run here, with what would have to change. */
function Hindrances(props: { task: UploadedTaskDetail }) {
  const all = () => props.task.facts.not_runnable
  const title = () =>
    all().some(({ concerns }) => concerns === 'all')
      ? 'This task cannot run here'
      : 'A model cannot work at this task here; other solvers can'
  return (
    <Show when={all().length}>
      <Note title={title()}>
        <ul class="grid gap-1">
          <For each={all()}>
            {(one) => (
              <li class="break-words">
                <code class="text-ink">{one.key}</code> {one.text}
              </li>
            )}
          </For>
        </ul>
      </Note>
    </Show>
  )
}

function Executions(props: { task: UploadedTaskDetail; now: number; changed: () => void }) {
  const ids = () => props.task.executions.map(({ run_id }) => run_id)
  const one = (id: string) => props.task.executions.find(({ run_id }) => run_id === id)
  return (
    <section aria-label="Runs" class="grid grid-cols-[minmax(0,1fr)] content-start gap-3">
      <h2 class="font-semibold">Runs {ids().length > 0 ? <span class="font-normal text-muted">{count(ids().length)}</span> : null}</h2>
      <For
        each={ids()}
        fallback={
          <p class="box px-4 py-8 text-center text-muted">
            No episode yet. Choose a solver and press Start; <code>oracle</code> shows whether the task is sound, and costs nothing.
          </p>
        }
      >
        {(id, index) => (
          <Show when={one(id)}>
            {(run) => (
              <ExecutionBox
                taskId={props.task.id}
                run={run()}
                episodes={props.task.runs.filter(({ run_id }) => run_id === id)}
                open={index() === 0}
                now={props.now}
                changed={props.changed}
                apart={props.task.facts.steps.every(({ verifier }) => verifier === 'separate')}
              />
            )}
          </Show>
        )}
      </For>
    </section>
  )
}
