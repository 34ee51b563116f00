import { createUniqueId, For, type JSX, Show } from 'solid-js'
import type { Model } from '#shared/contract/model.ts'
import { priceText } from '../ui/format.ts'
import { defaultConcurrency, defaultVisibility, type Selection, visibilityWords } from './selection.ts'

type Props = { selection: Selection; model: Model | undefined; profiles: string[]; change: (change: Partial<Selection>) => void }

/** Everything else that decides a run, folded until somebody wants it or has chosen something there. */
export function MoreOptions(props: Props) {
  return (
    <details class="group mt-3" open={hasMore(props.selection)}>
      <summary class="w-fit list-none text-muted hover:text-ink [&::-webkit-details-marker]:hidden">
        <span class="mr-1.5 inline-block text-faint group-open:rotate-90">›</span>More: who may see it, parameters, budget, price
      </summary>
      <Group title="The run">
        <Text
          label="Name"
          hint="What it is called in lists"
          most={120}
          empty="none"
          value={props.selection.name}
          set={(name) => props.change({ name })}
        />
        <Select
          label="Seen by"
          hint="Private where a key pays; it can be changed for each run"
          of={(['private', 'link', 'public'] as const).map((one): [string, string] => [one, visibilityWords[one]])}
          value={props.selection.visibility ?? defaultVisibility(props.model)}
          set={(value) => props.change({ visibility: value as Selection['visibility'] })}
        />
        <Amount
          label="Budget in US dollars"
          hint="The run stops before it spends more"
          min={0}
          empty="none"
          value={props.selection.budget}
          set={(budget) => props.change({ budget })}
        />
        <Amount
          label="Concurrency"
          hint="Requests at a time"
          min={1}
          max={2000}
          whole
          empty={String(defaultConcurrency)}
          value={props.selection.concurrency}
          set={(value) => props.change({ concurrency: value ?? defaultConcurrency })}
        />
        <Amount
          label="Failures allowed, in percent"
          hint="More than that, and the run counts as incomplete"
          min={0}
          max={100}
          empty="1"
          value={props.selection.failuresPct}
          set={(failuresPct) => props.change({ failuresPct })}
        />
        <Amount
          label="Epochs"
          hint="How often each item is asked"
          min={1}
          max={64}
          whole
          empty="default of each"
          value={props.selection.epochs}
          set={(epochs) => props.change({ epochs })}
        />
        <Text
          label="Seed"
          hint="Another seed draws other items"
          most={128}
          empty="the common one"
          value={props.selection.seed}
          set={(seed) => props.change({ seed })}
        />
      </Group>
      <Group title="What is asked">
        <Select
          label="Wording"
          hint="By default official; the sample is asked with our own"
          of={[
            ['', 'what works, official first'],
            ...props.profiles.map((id): [string, string] => [id, id === 'builtin' ? 'built in' : id]),
          ]}
          value={props.selection.profile ?? ''}
          set={(value) => props.change({ profile: value || undefined })}
        />
        <Select
          label="Data"
          hint="Automatic: the real data; for the demo model the invented sample"
          of={[
            ['auto', 'automatic'],
            ['sample', 'sample'],
            ['override', "the operator's own files"],
          ]}
          value={props.selection.data}
          set={(value) => props.change({ data: value as Selection['data'] })}
        />
      </Group>
      <Group title="How the model is asked">
        <Amount
          label="Temperature"
          hint="Left empty, each benchmark's own"
          min={0}
          max={2}
          empty="default of each"
          value={props.selection.temperature}
          set={(temperature) => props.change({ temperature })}
        />
        <Amount
          label="Top p"
          hint="Nucleus sampling"
          min={0}
          max={1}
          empty="default of each"
          value={props.selection.topP}
          set={(topP) => props.change({ topP })}
        />
        <Amount
          label="Longest answer, in tokens"
          hint="Raise it for models that reason at length"
          min={1}
          max={1_000_000}
          whole
          empty="default of each"
          value={props.selection.maxTokens}
          set={(maxTokens) => props.change({ maxTokens })}
        />
        <Text
          label="Reasoning effort"
          hint="As the provider names it: low, medium, high"
          most={20}
          empty="not sent"
          value={props.selection.reasoning}
          set={(reasoning) => props.change({ reasoning })}
        />
      </Group>
      <PriceFields {...props} />
    </details>
  )
}

/** What a million tokens cost: needed for a cost and a budget where the provider does not say. */
function PriceFields(props: Props) {
  const half = () => (props.selection.priceIn === undefined) !== (props.selection.priceOut === undefined)
  const empty = (side: 'input_per_million_usd' | 'output_per_million_usd') => {
    const price = props.model?.price
    return price ? String(price[side]) : 'unknown'
  }
  return (
    <Group title={`Price, in US dollars per million tokens (the provider says: ${priceText(props.model?.price ?? null)})`}>
      <Amount
        label="Input"
        hint="Frozen with the run"
        min={0}
        empty={empty('input_per_million_usd')}
        value={props.selection.priceIn}
        set={(priceIn) => props.change({ priceIn })}
      />
      <Amount
        label="Output"
        hint="Reasoning counts as output"
        min={0}
        empty={empty('output_per_million_usd')}
        value={props.selection.priceOut}
        set={(priceOut) => props.change({ priceOut })}
      />
      <Show when={half()}>
        <p class="self-center text-s text-papaya">Give both prices: until then yours are not used.</p>
      </Show>
    </Group>
  )
}

function hasMore(selection: Selection): boolean {
  const { benchmarks, model, provider, pct, count, judge, judgeProvider, selfJudge, data, concurrency, ...more } = selection
  return data !== 'auto' || concurrency !== defaultConcurrency || Object.values(more).some((value) => value !== undefined)
}

function Group(props: { title: string; children: JSX.Element }) {
  return (
    <fieldset class="mt-4 min-w-0 border-t border-line pt-3">
      <legend class="eyebrow pr-3">{props.title}</legend>
      <div class="grid gap-x-6 gap-y-4 sm:grid-cols-2 xl:grid-cols-3">{props.children}</div>
    </fieldset>
  )
}

type Field<T> = { label: string; hint: string; value: T; set: (value: T) => void }

/** A number, or nothing. */
function Amount(props: Field<number | undefined> & { min: number; max?: number; whole?: boolean; empty: string }) {
  return (
    <Labelled {...props}>
      {(id) => (
        <input
          id={id}
          type="number"
          min={props.min}
          max={props.max}
          step={props.whole ? 1 : 'any'}
          class="field w-full"
          placeholder={props.empty}
          value={props.value ?? ''}
          onChange={(event) => props.set(event.currentTarget.value.trim() === '' ? undefined : Number(event.currentTarget.value))}
        />
      )}
    </Labelled>
  )
}

function Text(props: Field<string | undefined> & { most: number; empty: string }) {
  return (
    <Labelled {...props}>
      {(id) => (
        <input
          id={id}
          type="text"
          maxlength={props.most}
          class="field w-full"
          placeholder={props.empty}
          value={props.value ?? ''}
          onChange={(event) => props.set(event.currentTarget.value.trim() || undefined)}
        />
      )}
    </Labelled>
  )
}

function Select(props: Field<string> & { of: [string, string][] }) {
  return (
    <Labelled {...props}>
      {(id) => (
        <select id={id} class="field w-full" onChange={(event) => props.set(event.currentTarget.value)}>
          <For each={props.of}>
            {([value, text]) => (
              <option value={value} selected={value === props.value}>
                {text}
              </option>
            )}
          </For>
        </select>
      )}
    </Labelled>
  )
}

function Labelled(props: { label: string; hint: string; children: (id: string) => JSX.Element }) {
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
