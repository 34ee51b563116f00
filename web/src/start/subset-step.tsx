import { createSignal, For } from 'solid-js'
import type { BenchmarkInfo } from '#shared/contract/api.ts'
import type { Model } from '#shared/contract/model.ts'
import { later } from '../ui/later.tsx'
import { Show } from '../ui/show.tsx'
import { mostAddressChars } from './item-names.ts'
import { MoreOptions } from './more-options.tsx'
import { chosenNames, defaultPct, type Selection, subsetLine, subsets } from './selection.ts'
import { Step } from './step.tsx'

const ItemChooser = later(async () => (await import('./item-chooser.tsx')).ItemChooser)

/** How much of each benchmark, and everything else that decides a run, under "more". */
export function SubsetStep(props: {
  number: number
  selection: Selection
  model: Model | undefined
  profiles: string[]
  /** The chosen benchmarks. */
  benchmarks: readonly BenchmarkInfo[]
  change: (change: Partial<Selection>) => void
}) {
  const names = () =>
    chosenNames(
      props.selection,
      props.benchmarks.map((one) => one.name),
    )
  const number = (text: string) => (text.trim() === '' ? undefined : Number(text))
  return (
    <Step
      number={props.number}
      title="How much"
      done
      open
      summary={<span class="text-ink">{subsetLine(props.selection, props.model, names().length > 0)}</span>}
    >
      <div class="p-4">
        <fieldset class="flex flex-wrap items-center gap-2">
          <legend class="sr-only">Share of each benchmark</legend>
          <For each={subsets}>
            {(pct) => {
              const on = () =>
                props.selection.count === undefined && (props.selection.pct ?? (names().length > 0 ? 100 : defaultPct(props.model))) === pct
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
        <ChosenItems {...props} names={names()} />
        <MoreOptions {...props} />
      </div>
    </Step>
  )
}

type ChosenProps = {
  benchmarks: readonly BenchmarkInfo[]
  selection: Selection
  model: Model | undefined
  names: readonly string[]
  change: (change: Partial<Selection>) => void
}

/** Ticks for the items of the one chosen benchmark, folded until somebody wants them. */
function ChosenItems(props: ChosenProps) {
  const [open, setOpen] = createSignal(false)
  const [tooLong, setTooLong] = createSignal(false)
  const only = () => (props.benchmarks.length === 1 ? props.benchmarks[0] : undefined)
  const choose = (one: BenchmarkInfo, names: string[]) => {
    const items = names.length > 0 ? { [one.name]: names } : undefined
    const fits = JSON.stringify(items ?? {}).length <= mostAddressChars
    setTooLong(!fits)
    if (fits) props.change({ items })
  }
  return (
    <details class="group mt-3" open={props.names.length > 0} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary class="w-fit list-none text-muted hover:text-ink [&::-webkit-details-marker]:hidden">
        <span class="mr-1.5 inline-block text-faint group-open:rotate-90">›</span>Choose items
      </summary>
      <div class="mt-3">
        <Show when={tooLong()}>
          <p class="mb-2 text-s text-papaya" role="alert">
            So many names fit into no address: start the run with <code>bench run --item @FILE</code>.
          </p>
        </Show>
        <Show when={only()} fallback={<p class="text-s text-faint">Choose one benchmark alone, and its items are listed here.</p>}>
          {(one) => (
            <Show when={open() || props.names.length > 0}>
              <ItemChooser
                benchmark={one()}
                selection={props.selection}
                provider={props.selection.provider ?? props.model?.provider}
                names={props.names}
                choose={(names: string[]) => choose(one(), names)}
              />
            </Show>
          )}
        </Show>
      </div>
    </details>
  )
}
