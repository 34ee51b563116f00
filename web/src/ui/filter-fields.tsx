import { For, type JSX } from 'solid-js'
import Search from '~icons/lucide/search'
import X from '~icons/lucide/x'
import { Show } from './show.tsx'

const typingMs = 250

/** A search over a list, asked for once nobody types any more; `undefined` when nothing is searched for. */
export function SearchField(props: {
  label: string
  placeholder: string
  value: string | undefined
  class: string
  set: (text: string | undefined) => void
}) {
  let typing: ReturnType<typeof setTimeout> | undefined
  const type = (text: string) => {
    clearTimeout(typing)
    typing = setTimeout(() => props.set(text.trim() || undefined), typingMs)
  }
  return (
    <label class={`relative ${props.class}`}>
      <span class="sr-only">{props.label}</span>
      <Search size={14} class="pointer-events-none absolute top-[9px] left-2.5 text-faint" aria-hidden="true" />
      <input
        type="search"
        data-search
        placeholder={props.placeholder}
        class="field w-full pl-8"
        value={props.value ?? ''}
        onInput={(event) => type(event.currentTarget.value)}
      />
    </label>
  )
}

/** One of several; `all` names the choice of none of them. */
export function Choice<Value extends string>(props: {
  label: string
  value: Value | undefined
  options: readonly (readonly [Value, string])[]
  all?: string
  class?: string
  set: (value: Value | undefined) => void
}) {
  return (
    <select
      aria-label={props.label}
      class={`field max-w-44 ${props.class ?? ''}`}
      value={props.value ?? ''}
      onChange={(event) => props.set((event.currentTarget.value || undefined) as Value | undefined)} // one of the options
    >
      <Show when={props.all}>
        <option value="" selected={!props.value}>
          {props.all}
        </option>
      </Show>
      <For each={props.options}>
        {([value, text]) => (
          <option value={value} selected={value === props.value}>
            {text}
          </option>
        )}
      </For>
    </select>
  )
}

/** A filter that is on or off. */
export function Chip(props: { on: boolean; label?: string; set: (on: boolean) => void; children: JSX.Element }) {
  return (
    <button
      type="button"
      aria-pressed={props.on}
      aria-label={props.label}
      class={`chip hover:text-ink ${props.on ? 'chip-on' : ''}`}
      onClick={() => props.set(!props.on)}
    >
      {props.children}
      <Show when={props.on}>
        <X size={12} aria-hidden="true" />
      </Show>
    </button>
  )
}
