import { onCleanup, onMount } from 'solid-js'

/** Handles single keys anywhere on the page, except while typing, in dialogs, and with Ctrl, Alt or Cmd held. */
export function useKeys(keys: Record<string, () => void>): void {
  onMount(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      const target = event.target as HTMLElement
      if (target.closest('input, textarea, select, dialog, [contenteditable]')) return
      const act = keys[event.key]
      if (!act) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', listen)
    onCleanup(() => document.removeEventListener('keydown', listen))
  })
}
