import { type Accessor, createSignal, onMount } from 'solid-js'

/** Whether this part of a page answers: false in what the server wrote until the browser has taken it over. */
export function createAlive(): Accessor<boolean> {
  const [alive, setAlive] = createSignal(false)
  onMount(() => setAlive(true))
  return alive
}
