import { A } from '@solidjs/router'
import { createSignal, For, Show } from 'solid-js'
import { Done } from '#shared/contract/api.ts'
import type { OpsWorker } from '#shared/contract/ops.ts'
import { resourcesText } from '#shared/run/needs-text.ts'
import { type ApiProblem, send } from '../api.ts'
import { age, count, percent } from '../ui/format.ts'
import { ProblemNote } from '../ui/problem.tsx'

/** Agents with their lanes, version and load over time; each can be drained. */
export function OpsAgents(props: { workers: readonly OpsWorker[]; now: number; changed: () => void }) {
  const [problem, setProblem] = createSignal<ApiProblem>()
  const drain = async (worker: OpsWorker) => {
    const answer = await send(Done, `/api/agents/${encodeURIComponent(worker.worker_id)}/drain`, { drain: !worker.draining })
    setProblem(answer.ok ? undefined : answer.problem)
    props.changed()
  }
  const state = (worker: OpsWorker) =>
    worker.silent ? `silent, heard ${age(worker.last_seen, props.now)}` : worker.draining ? 'draining' : 'connected'
  return (
    <section class="box mt-5 overflow-hidden" aria-label="Agents">
      <h2 class="flex items-baseline gap-2 border-b border-line px-4 py-2 font-semibold">
        Agents <span class="text-s font-normal text-muted">{count(props.workers.length)}</span>
      </h2>
      <Show when={problem()}>{(got) => <ProblemNote problem={got()} />}</Show>
      <Show
        when={props.workers.length}
        fallback={
          <p class="p-4 text-muted">
            No agent is connected. Runs wait until one is.{' '}
            <A href="/agents" class="link">
              Add an agent
            </A>
          </p>
        }
      >
        <ul>
          <For each={props.workers}>
            {(worker) => (
              <li class="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 not-last:border-b border-line">
                <div class="min-w-48 flex-1">
                  <span class="font-medium [overflow-wrap:anywhere]">{worker.worker_id}</span>{' '}
                  <span class={worker.silent ? 'text-papaya' : 'text-muted'}>{state(worker)}</span>
                  <span class="block text-s text-muted">
                    {worker.version} · {count(worker.running_items)} of {count(worker.item_concurrency)} slots, {count(worker.running_runs)}{' '}
                    {worker.running_runs === 1 ? 'run' : 'runs'}
                    {worker.resources ? ` · ${resourcesText(worker.resources)}` : ''}
                  </span>
                </div>
                <Machine worker={worker} />
                <Spark load={worker.load} most={worker.item_concurrency} />
                <button type="button" class="btn" onClick={() => drain(worker)}>
                  {worker.draining ? 'Give work again' : 'Drain'}
                </button>
              </li>
            )}
          </For>
        </ul>
      </Show>
    </section>
  )
}

const parts = [
  ['CPU', 'cpu_ratio', 'var(--c-moss-fill)'],
  ['memory', 'memory_ratio', 'var(--c-papaya-fill)'],
  ['disk', 'disk_ratio', 'var(--c-faint)'],
] as const

/** Shows how much of the agent's machine is in use, now and over the last hour. */
function Machine(props: { worker: OpsWorker }) {
  return (
    <dl class="grid w-52 gap-0.5 text-s text-muted max-sm:w-full">
      <For each={parts}>
        {([name, key, colour]) => (
          <div class="grid grid-cols-[3.5rem_1fr_3.5rem] items-center gap-2">
            <dt>{name}</dt>
            <dd>
              <Trace values={props.worker.usage_over_time.slice(-60).map((one) => one?.[key] ?? null)} colour={colour} />
            </dd>
            <dd class="text-right whitespace-nowrap">
              {props.worker.usage?.[key] == null ? 'unknown' : percent(props.worker.usage[key], 0)}
            </dd>
          </div>
        )}
      </For>
    </dl>
  )
}

/** Draws the last sixty samples of a ratio as bars; a sample that is unknown has no bar. */
function Trace(props: { values: readonly (number | null)[]; colour: string }) {
  return (
    <svg class="block h-3 w-full" viewBox="0 0 60 10" preserveAspectRatio="none" aria-hidden="true">
      <line x1="0" x2="60" y1="10" y2="10" stroke="var(--c-line-strong)" vector-effect="non-scaling-stroke" />
      <For each={props.values}>
        {(value, at) => (
          <Show when={value !== null}>
            <rect x={60 - props.values.length + at()} width="0.8" y={10 - value! * 10} height={value! * 10} fill={props.colour} />
          </Show>
        )}
      </For>
    </svg>
  )
}

/** Trials at work over time, as bars against the slots. */
function Spark(props: { load: readonly (number | null)[]; most: number }) {
  /** The last sixty samples. */
  const shown = () => props.load.slice(-60)
  return (
    <svg class="h-8 w-40 max-sm:w-full" viewBox="0 0 60 20" preserveAspectRatio="none" role="img" aria-label="Load over the last hour">
      <line x1="0" x2="60" y1="20" y2="20" stroke="var(--c-line-strong)" vector-effect="non-scaling-stroke" />
      <For each={shown()}>
        {(value, at) => {
          const tall = () => Math.min(20, ((value ?? 0) / Math.max(1, props.most)) * 20)
          return <rect x={60 - shown().length + at()} width="0.8" y={20 - tall()} height={tall()} fill="var(--c-moss-fill)" />
        }}
      </For>
    </svg>
  )
}
