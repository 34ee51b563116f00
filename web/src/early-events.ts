/**
 * Inline script for the head: holds clicks on buttons, input and changes until the page is hydrated.
 * Solid's own queue loses clicks (a dispatched event has no path) and has no change events. Links and
 * native controls work at once.
 */
export const holdEarlyEvents = `{
const held = [], kinds = ['click', 'input', 'change']
const hold = (event) => {
  if (event.type === 'click' && !event.target.closest('button')) return
  event.stopImmediatePropagation()
  held.push(event)
}
for (const kind of kinds) addEventListener(kind, hold, true)
globalThis.endEarlyEvents = () => {
  for (const kind of kinds) removeEventListener(kind, hold, true)
  return held
}
}`

declare global {
  var endEarlyEvents: (() => Event[]) | undefined
  var _$HY: { events: unknown } | undefined
}

/** Empties Solid's queue: its first event would end the hydration of parts that still wait for modules. */
export function takeEarlyEvents(): void {
  if (globalThis._$HY) globalThis._$HY.events = null
}

/** Sets `data-hydrated` on the document and dispatches the held events in their order. */
export function tellEarlyEvents(): void {
  document.documentElement.dataset.hydrated = ''
  for (const { type, target } of globalThis.endEarlyEvents?.() ?? []) {
    const init = { bubbles: true, cancelable: true }
    target?.dispatchEvent(type === 'click' ? new MouseEvent(type, init) : new Event(type, init))
  }
}
