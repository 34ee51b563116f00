import { createMemo, type JSX, Show, untrack } from 'solid-js'

/**
 * Like `Show` with a function child, for a value that may go while the page is loaded anew. There
 * Solid may read the child once more before it removes it: `Show` would throw, here the child reads
 * the last value.
 */
export function Known<T extends object>(props: { value: T | null | undefined; children: (value: () => T) => JSX.Element }) {
  const now = createMemo(() => props.value)
  const last = createMemo<T | null | undefined>((before) => now() ?? before)
  return <Show when={!!now()}>{untrack(() => props.children(() => last()!))}</Show>
}
