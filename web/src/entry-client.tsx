// @refresh reload
import { mount, StartClient } from '@solidjs/start/client'
import { takeEarlyEvents } from './early-events.ts'

/**
 * Hydrates the page after the modules that the server preloads. Solid would hydrate a part without its
 * module later, and an event in between would make Solid render that part again. If a module fails to
 * load, the part that needs it reports the error.
 */
const named = [...document.querySelectorAll<HTMLLinkElement>('link[rel=modulepreload]')]
void Promise.allSettled(named.map(({ href }) => import(/* @vite-ignore */ href))).then(() => {
  takeEarlyEvents()
  mount(() => <StartClient />, document.getElementById('app')!)
})
