import { A } from '@solidjs/router'
import { createSignal, For } from 'solid-js'
import { Done } from '#shared/contract/api.ts'
import type { OpsWorker } from '#shared/contract/ops.ts'
import { resourcesText } from '#shared/run/needs-text.ts'
import { type ApiProblem, send } from '../api.ts'
import { age, count, percent } from '../ui/format.ts'
import { ProblemNote } from '../ui/problem.tsx'
import { Show } from '../ui/show.tsx'

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
                <InUse worker={worker} />
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

const machineParts = [
  ['CPU', 'cpu_ratio', 'var(--c-papaya-fill)'],
  ['memory', 'memory_ratio', 'var(--c-papaya-fill)'],
  ['disk', 'disk_ratio', 'var(--c-faint)'],
] as const

/** Samples that are drawn: the last hour. */
const drawn = 60

/** Shows how much of the agent's slots and of its machine is in use, now and over the last hour. */
function InUse(props: { worker: OpsWorker }) {
  const load = () => props.worker.load.slice(-drawn).map((one) => one && one / Math.max(1, props.worker.item_concurrency))
  return (
    <dl class="grid w-60 gap-0.5 text-s text-muted max-sm:w-full" aria-label="In use, over the last hour">
      <Row name="slots" values={load()} colour="var(--c-moss-fill)" now={count(props.worker.running_items)} />
      <For each={machineParts}>
        {([name, key, colour]) => (
          <Row
            {...{ name, colour }}
            values={props.worker.usage_over_time.slice(-drawn).map((one) => one?.[key] ?? null)}
            now={props.worker.usage?.[key] == null ? 'unknown' : percent(props.worker.usage[key], 0)}
          />
        )}
      </For>
    </dl>
  )
}

/** Draws samples of a ratio as bars; an unknown sample has no bar. */
function Row(props: { name: string; values: readonly (number | null)[]; colour: string; now: string }) {
  return (
    <div class="grid grid-cols-[3.5rem_1fr_4rem] items-center gap-2">
      <dt>{props.name}</dt>
      <dd>
        <svg class="block h-3 w-full" viewBox={`0 0 ${drawn} 10`} preserveAspectRatio="none" aria-hidden="true">
          <line x1="0" x2={drawn} y1="10" y2="10" stroke="var(--c-line-strong)" vector-effect="non-scaling-stroke" />
          <For each={props.values}>
            {(value, at) => (
              <Show when={value !== null}>
                <rect
                  {...{ x: drawn - props.values.length + at(), width: 0.8, fill: props.colour }}
                  {...{ y: 10 - Math.min(1, value!) * 10, height: Math.min(1, value!) * 10 }}
                />
              </Show>
            )}
          </For>
        </svg>
      </dd>
      <dd class="text-right whitespace-nowrap">{props.now}</dd>
    </div>
  )
}
