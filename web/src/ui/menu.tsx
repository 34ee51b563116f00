import { type JSX, onCleanup, onMount } from 'solid-js'

/** A button that shows a small panel of links beneath it; Escape, a click elsewhere or a choice closes it. */
export function Menu(props: { label: JSX.Element; children: JSX.Element }) {
  let details!: HTMLDetailsElement
  let panel!: HTMLDivElement
  onMount(() => {
    const close = (event: Event) => {
      const target = event.target as Node
      if (!details.contains(target) || (event.type === 'click' && panel.contains(target))) details.open = false
    }
    const leave = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !details.open) return
      details.open = false
      details.querySelector('summary')?.focus()
    }
    document.addEventListener('pointerdown', close)
    document.addEventListener('click', close)
    details.addEventListener('keydown', leave)
    onCleanup(() => {
      document.removeEventListener('pointerdown', close)
      document.removeEventListener('click', close)
    })
  })
  return (
    <details ref={details} class="relative">
      <summary class="btn list-none [&::-webkit-details-marker]:hidden">{props.label}</summary>
      <div ref={panel} class="box absolute right-0 z-40 mt-1 w-72 p-1 shadow-box">
        {props.children}
      </div>
    </details>
  )
}
