import { createAsync } from '@solidjs/router'
import { createSignal, createUniqueId, For } from 'solid-js'
import type { BenchmarkInfo, PlanPreview } from '#shared/contract/api.ts'
import type { Model } from '#shared/contract/model.ts'
import { getModels } from '../queries.ts'
import { Show } from '../ui/show.tsx'
import { ownJudges } from './own-judges.ts'
import type { Selection } from './selection.ts'
import { Step } from './step.tsx'

type Props = {
  number: number
  chosen: readonly BenchmarkInfo[]
  plan: PlanPreview | undefined
  model: Model | undefined
  selection: Selection
  change: (part: Partial<Selection>) => void
}

/** Who judges, where a chosen benchmark has a judge: its own unless another model is named. */
export function JudgeStep(props: Props) {
  const id = createUniqueId()
  const [search, setSearch] = createSignal('')
  const found = createAsync(() => getModels(search(), 50))
  const models = () => {
    const got = found.latest
    return got?.ok ? got.value.models.filter((one) => one.is_active) : []
  }
  const own = () => ownJudges(props.chosen, props.selection.profile)
  // What is planned, as the demo model judges itself; without a plan, as after a refusal, what is asked for.
  const judges = () => {
    const planned = new Set(props.plan?.benchmarks.flatMap((one) => one.roles.judge ?? []))
    return planned.size > 0 ? [...planned] : props.selection.judge ? [props.selection.judge] : own()
  }
  const name = (slug: string) => {
    const judge = slug.trim() || undefined
    props.change({ judge, judgeProvider: models().find((one) => one.slug === judge)?.provider })
  }
  return (
    <Step number={props.number} title="Judge" done open summary={<span class="text-ink">{judges().join(', ')}</span>}>
      <div class="p-4">
        <label for={id} class="mb-1 block text-s font-medium">
          Model that judges the answers
        </label>
        <input
          id={id}
          type="text"
          class="field w-full max-w-xl"
          list={`${id}-models`}
          autocomplete="off"
          placeholder={own().join(', ')}
          value={props.selection.judge ?? ''}
          onInput={(event) => setSearch(event.currentTarget.value)}
          onChange={(event) => name(event.currentTarget.value)}
        />
        <datalist id={`${id}-models`}>
          <For each={models()}>{(one) => <option value={one.slug}>{one.provider}</option>}</For>
        </datalist>
        <p class="mt-1 text-s text-faint">
          Left empty it is {own().join(', ')}, as the benchmark says. Scores by different judges cannot be compared; what it costs is
          counted apart.
        </p>
        <Show when={props.selection.judge && props.selection.judge === props.model?.slug && props.model?.provider !== 'demo'}>
          <label class="mt-3 flex items-center gap-2">
            <input
              type="checkbox"
              class="size-4 accent-[var(--c-moss)]"
              checked={props.selection.selfJudge}
              onChange={(event) => props.change({ selfJudge: event.currentTarget.checked })}
            />
            Let the model judge its own answers
          </label>
        </Show>
      </div>
    </Step>
  )
}
