import { For, type JSX } from 'solid-js'
import { priceText } from '../ui/format.ts'
import { Show } from '../ui/show.tsx'
import { type OptionField, OptionFieldView, type OptionProps } from './option-fields.tsx'
import { defaultConcurrency, defaultVisibility, type Selection, visibilityWords } from './selection.ts'

const ofEach = 'default of each'

const theRun: readonly OptionField[] = [
  { kind: 'text', key: 'name', label: 'Name', hint: 'What it is called in lists', most: 120, empty: 'none' },
  {
    kind: 'choice',
    label: 'Seen by',
    hint: 'Private where a key pays; it can be changed for each run',
    options: () => (['private', 'link', 'public'] as const).map((one) => [one, visibilityWords[one]] as const),
    value: ({ selection, model }) => selection.visibility ?? defaultVisibility(model),
    change: (value) => ({ visibility: value as Selection['visibility'] }), // one of the options
  },
  { kind: 'amount', key: 'budget', label: 'Budget in US dollars', hint: 'The run stops before it spends more', min: 0, empty: 'none' },
  {
    kind: 'amount',
    key: 'concurrency',
    label: 'Concurrency',
    hint: 'Requests at a time',
    min: 1,
    max: 2000,
    whole: true,
    empty: String(defaultConcurrency),
    fallback: defaultConcurrency,
  },
  {
    kind: 'amount',
    key: 'failuresPct',
    label: 'Failures allowed, in percent',
    hint: 'More than that, and the run counts as incomplete',
    min: 0,
    max: 100,
    empty: '1',
  },
  { kind: 'amount', key: 'epochs', label: 'Epochs', hint: 'How often each item is asked', min: 1, max: 100, whole: true, empty: ofEach },
  { kind: 'text', key: 'seed', label: 'Seed', hint: 'Another seed draws other items', most: 128, empty: 'the common one' },
  {
    kind: 'choice',
    label: 'Draw',
    hint: 'Legacy gives the items that the predecessor drew for a seed',
    options: () => [
      ['', 'by SHA-256'],
      ['legacy', 'legacy'],
    ],
    value: ({ selection }) => selection.sampling ?? '',
    change: (value) => ({ sampling: value === 'legacy' ? 'legacy' : undefined }),
  },
]

const whatIsAsked: readonly OptionField[] = [
  {
    kind: 'choice',
    label: 'Wording',
    hint: 'By default official; the sample is asked with our own',
    options: ({ profiles }) => [
      ['', 'what works, official first'],
      ...profiles.map((id) => [id, id === 'builtin' ? 'built in' : id] as const),
    ],
    value: ({ selection }) => selection.profile ?? '',
    change: (value) => ({ profile: value || undefined }),
  },
  {
    kind: 'choice',
    label: 'Data',
    hint: 'Automatic: the real data; for the demo model the invented sample',
    options: () => [
      ['auto', 'automatic'],
      ['sample', 'sample'],
      ['override', "the operator's own files"],
    ],
    value: ({ selection }) => selection.data,
    change: (value) => ({ data: value as Selection['data'] }), // one of the options
  },
]

const howTheModelIsAsked: readonly OptionField[] = [
  {
    kind: 'amount',
    key: 'temperature',
    label: 'Temperature',
    hint: "Left empty, each benchmark's own",
    min: 0,
    max: 2,
    empty: ofEach,
  },
  { kind: 'amount', key: 'topP', label: 'Top p', hint: 'Nucleus sampling', min: 0, max: 1, empty: ofEach },
  {
    kind: 'amount',
    key: 'maxTokens',
    label: 'Longest answer, in tokens',
    hint: 'Raise it for models that reason at length',
    min: 1,
    max: 1_000_000,
    whole: true,
    empty: ofEach,
  },
  {
    kind: 'text',
    key: 'reasoning',
    label: 'Reasoning effort',
    hint: 'As the provider names it: low, medium, high',
    most: 20,
    empty: 'not sent',
  },
  {
    kind: 'amount',
    key: 'reasoningBudget',
    label: 'Reasoning budget, in tokens',
    hint: 'In place of an effort, where the provider takes one',
    min: 1,
    max: 1_000_000,
    whole: true,
    empty: 'not sent',
  },
  {
    kind: 'text',
    key: 'upstream',
    label: 'Upstream providers',
    hint: 'OpenRouter only, in order: deepinfra, together',
    most: 300,
    empty: 'its choice',
  },
  {
    kind: 'choice',
    label: 'Other upstream providers',
    hint: 'OpenRouter only: whether others may answer where these cannot',
    options: () => [
      ['', 'may step in'],
      ['never', 'never'],
    ],
    value: ({ selection }) => selection.fallbacks ?? '',
    change: (value) => ({ fallbacks: value === 'never' ? 'never' : undefined }),
  },
]

const offered = (side: 'input_per_million_usd' | 'output_per_million_usd') => (props: OptionProps) =>
  String(props.model?.price?.[side] ?? 'unknown')

/** What a million tokens cost: needed for a cost and a budget where the provider does not say. */
const price: readonly OptionField[] = [
  { kind: 'amount', key: 'priceIn', label: 'Input', hint: 'Frozen with the run', min: 0, empty: offered('input_per_million_usd') },
  {
    kind: 'amount',
    key: 'priceOut',
    label: 'Output',
    hint: 'Reasoning counts as output',
    min: 0,
    empty: offered('output_per_million_usd'),
  },
]

/** Everything else that decides a run, folded until somebody wants it or has chosen something there. */
export function MoreOptions(props: OptionProps) {
  const half = () => (props.selection.priceIn === undefined) !== (props.selection.priceOut === undefined)
  return (
    <details class="group mt-3" open={hasMore(props.selection)}>
      <summary class="w-fit list-none text-muted hover:text-ink [&::-webkit-details-marker]:hidden">
        <span class="mr-1.5 inline-block text-faint group-open:rotate-90">›</span>More: who may see it, parameters, budget, price
      </summary>
      <Group {...props} title="The run" fields={theRun} />
      <Group {...props} title="What is asked" fields={whatIsAsked} />
      <Group {...props} title="How the model is asked" fields={howTheModelIsAsked} />
      <Group
        {...props}
        title={`Price, in US dollars per million tokens (the provider says: ${priceText(props.model?.price ?? null)})`}
        fields={price}
      >
        <Show when={half()}>
          <p class="self-center text-s text-papaya">Give both prices: until then yours are not used.</p>
        </Show>
      </Group>
    </details>
  )
}

function hasMore(selection: Selection): boolean {
  const { benchmarks, model, provider, pct, count, judge, judgeProvider, selfJudge, data, concurrency, items, also, levels, ...more } =
    selection
  return data !== 'auto' || concurrency !== defaultConcurrency || Object.values(more).some((value) => value !== undefined)
}

type Keyed = Extract<OptionField, { key: unknown }>

/** The fields that change these parts of a selection, in this order, for other pages that ask for them. */
export const fieldsOf = (keys: readonly Keyed['key'][]): OptionField[] =>
  keys.flatMap((key) => [...theRun, ...howTheModelIsAsked].filter((field) => 'key' in field && field.key === key))

function Group(props: OptionProps & { title: string; fields: readonly OptionField[]; children?: JSX.Element }) {
  return (
    <fieldset class="mt-4 min-w-0 border-t border-line pt-3">
      <legend class="eyebrow pr-3">{props.title}</legend>
      <div class="grid gap-x-6 gap-y-4 sm:grid-cols-2 xl:grid-cols-3">
        <For each={props.fields}>{(field) => <OptionFieldView {...props} field={field} />}</For>
        {props.children}
      </div>
    </fieldset>
  )
}
