// @refresh reload
import { mount, StartClient } from '@solidjs/start/client'
import { takeEarlyEvents } from './early-events.ts'

/**
 * Hydrates the page once all modules are there that the server named for it. Solid hydrates a part
 * whose module is missing later than the rest, and a click in between makes it render that part anew.
 * A module that fails to load is reported by the part that needs it.
 */
const named = [...document.querySelectorAll<HTMLLinkElement>('link[rel=modulepreload]')]
void Promise.allSettled(named.map(({ href }) => import(/* @vite-ignore */ href))).then(() => {
  takeEarlyEvents()
  mount(() => <StartClient />, document.getElementById('app')!)
})
