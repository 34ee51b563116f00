import { type Component, createSignal, type JSX, lazy, Suspense, sharedConfig } from 'solid-js'
import { isServer } from 'solid-js/web'
import { Show } from './show.tsx'

/**
 * What is loaded once it is shown. A page from the server holds it and comes alive with it; in the browser `fallback` stands until it is there.
 * It is not suspended for that: where a suspended part comes while another page is on its way, its end can be lost with that, and it waits for ever.
 */
export function later<P extends object>(load: () => Promise<Component<P>>): Component<P & { fallback?: JSX.Element }> {
  const Loaded = lazy(async () => ({ default: (await load()) as Component<P & { fallback?: JSX.Element }> }))
  let there = false
  return (props) => {
    if (isServer || sharedConfig.context)
      return (
        <Suspense fallback={props.fallback}>
          <Loaded {...props} />
        </Suspense>
      )
    const [ready, setReady] = createSignal(there)
    if (!there)
      void Loaded.preload().then(() => {
        there = true
        setReady(true)
      })
    return (
      <Show when={ready()} fallback={props.fallback}>
        <Suspense fallback={props.fallback}>
          <Loaded {...props} />
        </Suspense>
      </Show>
    )
  }
}
