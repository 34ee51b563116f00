import { createAsync } from '@solidjs/router'
import { createEffect, createMemo, createSignal, For, on } from 'solid-js'
import type { Model } from '#shared/contract/model.ts'
import Search from '~icons/lucide/search'
import { getModels } from '../queries.ts'
import { count, priceText, short } from '../ui/format.ts'
import { ProblemNote } from '../ui/problem.tsx'
import { Show } from '../ui/show.tsx'

const shown = 50

/** A searchable list of models, worked by keyboard as a combobox whose list is always in view; as wide as the room it is given. */
export function ModelPicker(props: { chosen: Model | undefined; choose: (model: Model) => void }) {
  const [search, setSearch] = createSignal('')
  // Read as `latest`: a search under way must not suspend the page and take the focus out of the field.
  const answer = createAsync(() => getModels(search(), shown))
  const list = createMemo(() => {
    const got = answer.latest
    return got?.ok ? got.value : { models: [], total: 0 }
  })
  const problem = () => {
    const got = answer.latest
    return got && !got.ok ? got.problem : undefined
  }
  const choose = (model: Model) => model.is_active && props.choose(model)
  return (
    <div class="@container">
      <Show when={problem()}>{(got) => <ProblemNote problem={got()} />}</Show>
      <Show
        when={answer.latest?.ok && list().total === 0 && search() === ''}
        fallback={<ModelList list={list()} chosen={props.chosen} search={setSearch} choose={choose} searching={search()} />}
      >
        <NoModels />
      </Show>
    </div>
  )
}

function NoModels() {
  return (
    <div class="p-4">
      <p>No model can be chosen yet. Give the server a provider and start it again:</p>
      <pre class="mt-2 rounded-box bg-raised p-3">
        {'CHUTES_API_KEY=cpk_… npm start\n'}
        {'OPENAI_BASE_URL=http://localhost:1234/v1 npm start'}
      </pre>
      <p class="mt-2 text-muted">
        The first offers every model Chutes serves; the second any server that speaks the OpenAI protocol, LM Studio for example.
      </p>
    </div>
  )
}

type ListProps = {
  list: { models: Model[]; total: number }
  chosen: Model | undefined
  searching: string
  search: (text: string) => void
  choose: (model: Model) => void
}

function ModelList(props: ListProps) {
  const [at, setAt] = createSignal(0)
  let typing: ReturnType<typeof setTimeout> | undefined
  let box!: HTMLDivElement
  createEffect(
    on(
      () => props.list.models,
      () => setAt(0),
      { defer: true },
    ),
  )
  const move = (to: number) => {
    setAt(Math.max(0, Math.min(props.list.models.length - 1, to)))
    box.children[at()]?.scrollIntoView({ block: 'nearest' })
  }
  const key = (event: KeyboardEvent) => {
    const steps: Record<string, number> = {
      ArrowDown: at() + 1,
      ArrowUp: at() - 1,
      PageDown: at() + 8,
      PageUp: at() - 8,
      Home: 0,
      End: props.list.models.length,
    }
    const to = steps[event.key]
    if (to !== undefined) move(to)
    else if (event.key === 'Enter' && props.list.models[at()]) props.choose(props.list.models[at()]!)
    else return
    event.preventDefault()
  }
  const type = (text: string) => {
    clearTimeout(typing)
    typing = setTimeout(() => props.search(text.trim()), 150)
  }
  return (
    <>
      <label class="relative block border-b border-line">
        <span class="sr-only">Search models</span>
        <Search size={15} class="pointer-events-none absolute top-3 left-4 text-faint" aria-hidden="true" />
        <input
          type="text"
          data-search
          role="combobox"
          aria-expanded="true"
          aria-controls="model-list"
          aria-autocomplete="list"
          aria-activedescendant={props.list.models.length ? `model-${at()}` : undefined}
          autocomplete="off"
          spellcheck={false}
          placeholder="Search by name"
          class="h-10 w-full bg-transparent pr-4 pl-10 outline-offset-[-2px]"
          onInput={(event) => type(event.currentTarget.value)}
          onKeyDown={key}
        />
      </label>
      <div ref={box} id="model-list" role="listbox" aria-label="Models" class="max-h-72 overflow-y-auto p-1">
        <For each={props.list.models} fallback={<p class="p-3 text-muted">No model has “{props.searching}” in its name.</p>}>
          {(model, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the combobox that owns this list
            <div
              id={`model-${index()}`}
              role="option"
              tabIndex={-1}
              aria-selected={props.chosen?.id === model.id}
              aria-disabled={!model.is_active}
              class={`flex items-baseline gap-x-3 rounded-[4px] @max-md:flex-wrap px-3 py-1.5 ${at() === index() ? 'bg-raised' : ''} ${model.is_active ? 'cursor-pointer' : 'opacity-50'}`}
              onPointerMove={() => setAt(index())}
              onClick={() => props.choose(model)}
            >
              <span class="min-w-0 flex-1 truncate @max-md:flex-none @max-md:basis-full">
                <span class={props.chosen?.id === model.id ? 'font-semibold text-moss' : ''}>{model.slug}</span>
                <Show when={!model.is_active}>
                  <span class="ml-2 text-s">not served now</span>
                </Show>
              </span>
              <span class="text-s text-faint @max-2xl:hidden">{model.context_length ? `${short(model.context_length)} context` : ''}</span>
              <span class="w-20 text-s text-muted @max-xl:hidden @max-md:block">{model.provider}</span>
              <span class="text-right text-s whitespace-nowrap text-muted @max-md:ml-auto @xl:w-44">{priceText(model.price)}</span>
            </div>
          )}
        </For>
      </div>
      <Show when={props.list.total > props.list.models.length}>
        <p class="border-t border-line px-4 py-2 text-s text-faint">
          {props.list.models.length} of {count(props.list.total)} models. Type to narrow.
        </p>
      </Show>
    </>
  )
}
