import { type Accessor, createSignal, onCleanup, onMount } from 'solid-js'

/** The time in milliseconds, renewed at the given pace while the page is in view. On the server: the time of rendering. */
export function useNow(paceMs: number): Accessor<number> {
  const [now, setNow] = createSignal(Date.now())
  onMount(() => {
    setNow(Date.now())
    const timer = setInterval(() => document.hidden || setNow(Date.now()), paceMs)
    onCleanup(() => clearInterval(timer))
  })
  return now
}
