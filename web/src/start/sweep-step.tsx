import { createAsync } from '@solidjs/router'
import { createSignal, createUniqueId, For } from 'solid-js'
import type { PlanPreview } from '#shared/contract/api.ts'
import { sweptLevels } from '#shared/contract/swept-levels.ts'
import { getModels, getPlan } from '../queries.ts'
import { count, usd } from '../ui/format.ts'
import { Show } from '../ui/show.tsx'
import { Step } from './step.tsx'
import { mostSwept, type Sweep, type SweptRun } from './sweep.ts'

type Props = {
  number: number
  sweep: Sweep
  runs: readonly SweptRun[]
  change: (sweep: Sweep) => void
}

/** Further models and levels of reasoning that are asked the same, each in a run of its own. */
export function SweepStep(props: Props) {
  const id = createUniqueId()
  const [open, setOpen] = createSignal(false)
  const [search, setSearch] = createSignal('')
  const found = createAsync(() => getModels(search(), 50))
  const models = () => {
    const got = found.latest
    return got?.ok ? got.value.models.filter((one) => one.is_active) : []
  }
  const several = () => props.runs.length > 1
  const add = (input: HTMLInputElement) => {
    const slug = input.value.trim()
    input.value = ''
    if (slug) props.change({ ...props.sweep, also: [...new Set([...props.sweep.also, slug])] })
  }
  const levels = (level: (typeof sweptLevels)[number], on: boolean) => {
    const chosen = sweptLevels.filter((one) => (one === level ? on : props.sweep.levels.includes(one)))
    props.change({ ...props.sweep, levels: chosen })
  }
  return (
    <Step
      number={props.number}
      title="Several at once"
      done={several()}
      open={open() || several()}
      {...(several() ? {} : { toggle: () => setOpen(!open()), opens: 'Add runs' })}
      summary={<span class={several() ? 'text-ink' : ''}>{several() ? `${count(props.runs.length)} runs` : 'one run'}</span>}
    >
      <div class="grid grid-cols-[minmax(0,1fr)] gap-4 p-4">
        <div>
          <label for={id} class="mb-1 block text-s font-medium">
            Ask another model the same
          </label>
          <input
            id={id}
            type="text"
            class="field w-full max-w-xl"
            list={`${id}-models`}
            autocomplete="off"
            placeholder="org/model"
            onInput={(event) => setSearch(event.currentTarget.value)}
            onChange={(event) => add(event.currentTarget)}
          />
          <datalist id={`${id}-models`}>
            <For each={models()}>{(one) => <option value={one.slug}>{one.provider}</option>}</For>
          </datalist>
          <div class="mt-2 flex flex-wrap gap-1.5 empty:hidden">
            <For each={props.sweep.also}>
              {(slug) => (
                <button
                  type="button"
                  class="chip chip-on max-w-full truncate"
                  aria-label={`${slug}, take away`}
                  onClick={() => props.change({ ...props.sweep, also: props.sweep.also.filter((one) => one !== slug) })}
                >
                  {slug}
                </button>
              )}
            </For>
          </div>
        </div>
        <fieldset class="flex flex-wrap items-center gap-x-5 gap-y-2">
          <legend class="mb-1 text-s font-medium">A run at each level of reasoning</legend>
          <For each={sweptLevels}>
            {(level) => (
              <label class="flex items-center gap-2">
                <input
                  type="checkbox"
                  class="size-4 accent-[var(--c-moss)]"
                  checked={props.sweep.levels.includes(level)}
                  onChange={(event) => levels(level, event.currentTarget.checked)}
                />
                {level}
              </label>
            )}
          </For>
        </fieldset>
        <Show
          when={several()}
          fallback={<p class="text-s text-faint">Each is a run of its own over the same items, so that they can be compared.</p>}
        >
          <ul class="rounded-[6px] border border-line" aria-label="Runs that start together">
            <For each={props.runs}>{(run) => <SweptRow run={run} />}</For>
          </ul>
          <Show when={props.runs.length >= mostSwept}>
            <p class="text-s text-papaya">At most {mostSwept} runs start together.</p>
          </Show>
        </Show>
      </div>
    </Step>
  )
}

/** A run with what it would ask and cost, or why it cannot be started. */
function SweptRow(props: { run: SweptRun }) {
  const answer = createAsync(() => getPlan(props.run.body))
  const plan = (): PlanPreview | undefined => {
    const got = answer.latest
    return got?.ok ? got.value : undefined
  }
  const refused = () => {
    const got = answer.latest
    return got && !got.ok ? got.problem.detail : undefined
  }
  return (
    <li class="flex flex-wrap gap-x-4 px-3 py-2 not-last:border-b border-line">
      <span class="min-w-0 flex-1 [overflow-wrap:anywhere]">{props.run.title}</span>
      <Show when={refused()} fallback={<span class="text-s text-muted">{planText(plan())}</span>}>
        {(why) => <span class="w-full text-s text-papaya">is left out: {why()}</span>}
      </Show>
    </li>
  )
}

const planText = (plan: PlanPreview | undefined): string =>
  plan ? `${count(plan.trials)} trials · ${usd(plan.cost_usd)}` : 'is being planned'
