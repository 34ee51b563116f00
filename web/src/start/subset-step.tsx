import { createUniqueId, For, type JSX } from 'solid-js'
import { defaultConcurrency, type Selection, subsetLine, subsets } from './selection.ts'
import { Step } from './step.tsx'

/** Last step: how much of each benchmark, and everything else that decides a run, under "more". */
export function SubsetStep(props: {
  number: number
  selection: Selection
  profiles: string[]
  change: (change: Partial<Selection>) => void
}) {
  const number = (text: string) => (text.trim() === '' ? undefined : Number(text))
  return (
    <Step number={props.number} title="How much" done open summary={<span class="text-ink">{subsetLine(props.selection)}</span>}>
      <div class="p-4">
        <fieldset class="flex flex-wrap items-center gap-2">
          <legend class="sr-only">Share of each benchmark</legend>
          <For each={subsets}>
            {(pct) => {
              const on = () => !props.selection.count && props.selection.pct === pct
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
        <details class="group mt-3" open={hasMore(props.selection)}>
          <summary class="w-fit list-none text-muted hover:text-ink [&::-webkit-details-marker]:hidden">
            <span class="mr-1.5 inline-block text-faint group-open:rotate-90">›</span>More
          </summary>
          <div class="mt-3 grid gap-x-6 gap-y-4 sm:grid-cols-2 xl:grid-cols-3">
            <Field label="Wording" hint="By default official; the sample is asked with our own">
              {(id) => (
                <select
                  id={id}
                  class="field w-full"
                  onChange={(event) => props.change({ profile: event.currentTarget.value || undefined })}
                >
                  <Options
                    of={[
                      ['', 'what works, official first'],
                      ...props.profiles.map((id): [string, string] => [id, id === 'builtin' ? 'built in' : id]),
                    ]}
                    value={props.selection.profile ?? ''}
                  />
                </select>
              )}
            </Field>
            <Field label="Data" hint="Automatic: the real data; for the demo model the invented sample">
              {(id) => (
                <select
                  id={id}
                  class="field w-full"
                  onChange={(event) => props.change({ data: event.currentTarget.value as Selection['data'] })}
                >
                  <Options
                    of={[
                      ['auto', 'automatic'],
                      ['sample', 'sample'],
                      ['override', "the operator's own files"],
                    ]}
                    value={props.selection.data}
                  />
                </select>
              )}
            </Field>
            <Field label="Epochs" hint="How often each item is asked">
              {(id) => (
                <input
                  id={id}
                  type="number"
                  min="1"
                  max="64"
                  class="field w-full"
                  placeholder="default of each"
                  value={props.selection.epochs ?? ''}
                  onChange={(event) => props.change({ epochs: number(event.currentTarget.value) })}
                />
              )}
            </Field>
            <Field label="Concurrency" hint="Requests at a time">
              {(id) => (
                <input
                  id={id}
                  type="number"
                  min="1"
                  max="2000"
                  class="field w-full"
                  value={props.selection.concurrency}
                  onChange={(event) => props.change({ concurrency: number(event.currentTarget.value) ?? defaultConcurrency })}
                />
              )}
            </Field>
            <Field label="Budget in US dollars" hint="The run stops before it spends more">
              {(id) => (
                <input
                  id={id}
                  type="number"
                  min="0"
                  step="any"
                  class="field w-full"
                  placeholder="none"
                  value={props.selection.budget ?? ''}
                  onChange={(event) => props.change({ budget: number(event.currentTarget.value) })}
                />
              )}
            </Field>
            <Field label="Seed" hint="Another seed draws other items">
              {(id) => (
                <input
                  id={id}
                  type="text"
                  maxlength="128"
                  class="field w-full"
                  placeholder="the common one"
                  value={props.selection.seed ?? ''}
                  onChange={(event) => props.change({ seed: event.currentTarget.value.trim() || undefined })}
                />
              )}
            </Field>
          </div>
        </details>
      </div>
    </Step>
  )
}

function hasMore(selection: Selection): boolean {
  const { seed, epochs, profile, data, concurrency, budget } = selection
  return !!(seed || epochs || profile || data !== 'auto' || concurrency !== defaultConcurrency || budget !== undefined)
}

function Field(props: { label: string; hint: string; children: (id: string) => JSX.Element }) {
  const id = createUniqueId()
  return (
    <div>
      <label for={id} class="mb-1 block text-s font-medium">
        {props.label}
      </label>
      {props.children(id)}
      <span class="mt-1 block text-s text-faint">{props.hint}</span>
    </div>
  )
}

function Options(props: { of: [string, string][]; value: string }) {
  return (
    <For each={props.of}>
      {([value, text]) => (
        <option value={value} selected={value === props.value}>
          {text}
        </option>
      )}
    </For>
  )
}
