import { For } from 'solid-js'
import type { Model } from '#shared/contract/model.ts'
import { MoreOptions } from './more-options.tsx'
import { defaultPct, type Selection, subsetLine, subsets } from './selection.ts'
import { Step } from './step.tsx'

/** How much of each benchmark, and everything else that decides a run, under "more". */
export function SubsetStep(props: {
  number: number
  selection: Selection
  model: Model | undefined
  profiles: string[]
  change: (change: Partial<Selection>) => void
}) {
  const number = (text: string) => (text.trim() === '' ? undefined : Number(text))
  return (
    <Step
      number={props.number}
      title="How much"
      done
      open
      summary={<span class="text-ink">{subsetLine(props.selection, props.model)}</span>}
    >
      <div class="p-4">
        <fieldset class="flex flex-wrap items-center gap-2">
          <legend class="sr-only">Share of each benchmark</legend>
          <For each={subsets}>
            {(pct) => {
              const on = () => props.selection.count === undefined && (props.selection.pct ?? defaultPct(props.model)) === pct
              return (
                <button
                  type="button"
                  class={`btn ${on() ? 'border-moss-fill bg-moss-soft' : ''}`}
                  aria-pressed={on()}
                  onClick={() => props.change({ pct, count: undefined })}
                >
                  {pct} %
                </button>
              )
            }}
          </For>
          <label class="flex items-center gap-2 text-muted sm:ml-2">
            or
            <input
              type="number"
              min="1"
              step="1"
              inputmode="numeric"
              placeholder="count"
              class="field w-24"
              value={props.selection.count ?? ''}
              onChange={(event) => props.change({ count: number(event.currentTarget.value) })}
            />
            items of each
          </label>
        </fieldset>
        <p class="mt-2 text-s text-faint">
          A smaller share is part of every larger one, and every model gets the same items, so runs can be compared.
        </p>
        <MoreOptions {...props} />
      </div>
    </Step>
  )
}
