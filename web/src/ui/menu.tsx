import { type JSX, onCleanup, onMount } from 'solid-js'

/** A button that shows a small panel of links beneath it, or above it in the `bar` of a phone; Escape, a click elsewhere or a choice closes it. */
export function Menu(props: { label: JSX.Element; bar?: boolean; children: JSX.Element }) {
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
    <details ref={details} class={`relative ${props.bar ? 'min-w-0 flex-1 sm:hidden' : ''}`}>
      <summary
        class={`list-none [&::-webkit-details-marker]:hidden ${props.bar ? 'flex flex-col items-center gap-0.5 rounded-box py-2 font-medium text-muted' : 'btn'}`}
      >
        {props.label}
      </summary>
      <div ref={panel} class={`box absolute z-40 p-1 shadow-box ${props.bar ? 'right-1 bottom-full mb-1 w-40' : 'right-0 mt-1 w-72'}`}>
        {props.children}
      </div>
    </details>
  )
}
