import { createAsync } from '@solidjs/router'
import { createMemo, createSignal, createUniqueId, For } from 'solid-js'
import type { Model } from '#shared/contract/model.ts'
import { mostEpisodes, type TaskAgent, type TaskExecuted } from '#shared/contract/task-upload.ts'
import Play from '~icons/lucide/play'
import { getModels } from '../queries.ts'
import { ModelPicker } from '../start/model-picker.tsx'
import { priceText } from '../ui/format.ts'
import { ProblemNote } from '../ui/problem.tsx'
import { Show } from '../ui/show.tsx'
import { episodesText, readEpisodes, type StartChoice, whatStartLacks } from './start-choice.ts'
import { createStart, type Target } from './start-tasks.ts'
import { getTaskAgents } from './task-queries.ts'

type Props = {
  /** What a press would start. */
  targets: readonly Target[]
  /** Which tasks those are, where the page does not say it. */
  lead?: string
  /** With what the tasks themselves say filled in. */
  choice: StartChoice & { episodes: number }
  /** Archives that are still on their way. */
  uploading: number
  /** Why this solver cannot work at a task here; undefined where it can. */
  hindered: (target: Target, agent: TaskAgent) => string | undefined
  change: (part: Partial<StartChoice>) => void
  started: (started: TaskExecuted[]) => void
}

/** Solver, model, number of episodes, and the one button that starts them. */
export function StartCard(props: Props) {
  const start = createStart((started) => props.started(started))
  const listed = createAsync(() => getTaskAgents())
  const agents = () => {
    const got = listed()
    return got?.ok ? got.value : []
  }
  const agent = createMemo(() => agents().find(({ id }) => id === props.choice.agent))
  const named = createAsync(() => getModels(props.choice.model ?? '', 50))
  const model = createMemo(() => findModel(props.choice, named.latest))
  const runnable = () => props.targets.filter((one) => agent() && props.hindered(one, agent()!) === undefined)
  const lacks = () =>
    whatStartLacks({
      tasks: props.targets.length,
      agent: agent(),
      model: props.choice.model !== undefined || model() !== undefined,
      hindered: runnable().length === 0 && props.targets[0] && agent() ? props.hindered(props.targets[0], agent()!) : undefined,
      uploading: props.uploading,
    })
  const press = () => {
    const asked = agent()!.asks ? { model: props.choice.model ?? model()!.slug, provider: props.choice.provider ?? model()?.provider } : {}
    void start.start(runnable(), { agent: agent()!.id, num_runs: props.choice.episodes, ...asked })
  }
  const problem = () => {
    const got = listed()
    return got && !got.ok ? got.problem : undefined
  }
  return (
    <section aria-label="Start episodes" class="box" id="start">
      <h2 class="border-b border-line px-4 py-2.5 font-semibold">Start episodes</h2>
      <div class="grid gap-4 p-4">
        <Show when={props.lead}>{(lead) => <p class="[overflow-wrap:anywhere] text-muted">{lead()}</p>}</Show>
        <Show when={problem()}>{(got) => <ProblemNote problem={got()} />}</Show>
        <SolverField agents={agents()} chosen={props.choice.agent} choose={(id) => props.change({ agent: id })} />
        <Show when={agent()?.asks !== false}>
          <ModelField choice={props.choice} model={model()} choose={({ slug, provider }) => props.change({ model: slug, provider })} />
        </Show>
        <EpisodesField
          label={props.lead === undefined ? 'Episodes' : 'Episodes of each task'}
          value={props.choice.episodes}
          choose={(episodes) => props.change({ episodes })}
        />
      </div>
      <div class="border-t border-line p-4">
        <button type="button" class="btn btn-main h-10 w-full text-l" disabled={!!lacks() || start.starting()} onClick={press}>
          <Play size={16} aria-hidden="true" />
          {start.starting() ? 'Starting' : (lacks() ?? `Start ${episodesText(runnable().length * props.choice.episodes)}`)}
        </button>
        <Show when={agent() && runnable().length < props.targets.length && runnable().length > 0}>
          <p class="mt-2 text-s text-papaya">
            {props.targets.length - runnable().length} of {props.targets.length} tasks cannot run here and are left out.
          </p>
        </Show>
        <For each={start.refused()}>
          {({ target, problem: refusal }) => (
            <p role="alert" class="mt-2 break-words text-papaya">
              <Show when={props.targets.length > 1}>
                <strong>{target.name}: </strong>
              </Show>
              {refusal.title}. {refusal.detail}
            </p>
          )}
        </For>
      </div>
    </section>
  )
}

/** The chosen model; a server with a single one leaves nothing to choose. */
function findModel({ model, provider }: StartChoice, got: Awaited<ReturnType<typeof getModels>> | undefined): Model | undefined {
  if (!got?.ok) return undefined
  const { models, total } = got.value
  if (!model) return total === 1 ? models[0] : undefined
  return models.find((one) => one.slug === model && (!provider || one.provider === provider))
}

function SolverField(props: { agents: readonly TaskAgent[]; chosen: string | undefined; choose: (id: string) => void }) {
  const id = createUniqueId()
  return (
    <div>
      <label for={id} class="mb-1 block text-s font-medium">
        Solver
      </label>
      <select id={id} class="field w-full" onChange={(event) => props.choose(event.currentTarget.value)}>
        <Show when={!props.agents.some((one) => one.id === props.chosen)}>
          <option value="" selected disabled>
            choose one
          </option>
        </Show>
        <For each={props.agents}>
          {(one) => (
            <option value={one.id} selected={one.id === props.chosen}>
              {one.name.startsWith(one.id) ? one.name : `${one.id}: ${one.name}`}
            </option>
          )}
        </For>
      </select>
      <p class="mt-1 min-h-5 text-s text-faint">{props.agents.find((one) => one.id === props.chosen)?.name}</p>
    </div>
  )
}

function ModelField(props: { choice: StartChoice; model: Model | undefined; choose: (model: Model) => void }) {
  const name = () => props.choice.model ?? props.model?.slug
  // Until somebody opens or closes it, the list is open while no model is chosen.
  const [wanted, setOpen] = createSignal<boolean>()
  const open = () => wanted() ?? !name()
  return (
    <div>
      <div class="mb-1 flex items-baseline justify-between gap-2">
        <span class="text-s font-medium">Model</span>
        <Show when={name()}>
          <button type="button" class="chip hover:text-ink" aria-expanded={open()} onClick={() => setOpen(!open())}>
            {open() ? 'Close' : 'Change'}
          </button>
        </Show>
      </div>
      <Show when={name()}>
        <p class="[overflow-wrap:anywhere]">{name()}</p>
        <p class="text-s text-muted">
          {props.model ? `${props.model.provider} · ${priceText(props.model.price)}` : (props.choice.provider ?? '')}
        </p>
      </Show>
      <Show when={open()}>
        <div class="mt-2 rounded-box border border-line">
          <ModelPicker
            chosen={props.model}
            choose={(model) => {
              props.choose(model)
              setOpen(false)
            }}
          />
        </div>
      </Show>
    </div>
  )
}

const usual = [1, 5, 10, 50]

function EpisodesField(props: { label: string; value: number; choose: (episodes: number) => void }) {
  const id = createUniqueId()
  const take = (field: HTMLInputElement) => {
    const episodes = readEpisodes(field.value) ?? props.value
    // What was typed may have been something else.
    field.value = String(episodes)
    props.choose(episodes)
  }
  return (
    <div>
      <label for={id} class="mb-1 block text-s font-medium">
        {props.label}
      </label>
      <div class="flex flex-wrap items-center gap-2">
        <input
          id={id}
          type="number"
          min="1"
          max={mostEpisodes}
          step="1"
          inputmode="numeric"
          class="field w-20"
          value={props.value}
          onChange={(event) => take(event.currentTarget)}
        />
        <For each={usual}>
          {(times) => (
            <button
              type="button"
              class={`btn min-w-9 px-2 ${props.value === times ? 'border-moss-fill bg-moss-soft' : ''}`}
              aria-pressed={props.value === times}
              onClick={() => props.choose(times)}
            >
              {times}
            </button>
          )}
        </For>
      </div>
      <p class="mt-1 text-s text-faint">1 to {mostEpisodes}; more of them make the pass rate surer.</p>
    </div>
  )
}
