import { type JSX, onCleanup, onMount } from 'solid-js'

/** A button that shows a small panel of links beneath it; Escape, a click elsewhere or a choice closes it. */
export function Menu(props: { label: JSX.Element; children: JSX.Element }) {
  let details!: HTMLDetailsElement
  const close = () => {
    details.open = false
  }
  onMount(() => {
    const outside = (event: Event) => {
      if (!details.contains(event.target as Node)) close()
    }
    document.addEventListener('pointerdown', outside)
    onCleanup(() => document.removeEventListener('pointerdown', outside))
  })
  const escape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !details.open) return
    close()
    details.querySelector('summary')?.focus()
  }
  return (
    <details ref={details} class="relative" onKeyDown={escape}>
      <summary class="btn list-none [&::-webkit-details-marker]:hidden">{props.label}</summary>
      <div class="box absolute right-0 z-40 mt-1 w-72 p-1 shadow-box" onClick={close}>
        {props.children}
      </div>
    </details>
  )
}
