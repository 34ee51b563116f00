/**
 * An inline script for the head: holds what a reader presses, chooses and types before the page is
 * hydrated. Solid keeps early events too, but tells them when their path is gone, without effect.
 * Links and what else the browser does by itself work at once.
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

/** Leaves early events to `tellEarlyEvents`: Solid would take the page for hydrated at the first of them. */
export function takeEarlyEvents(): void {
  if (globalThis._$HY) globalThis._$HY.events = null
}

/** Marks the document as hydrated (`data-hydrated`), and tells the page what was held, in its order. */
export function tellEarlyEvents(): void {
  document.documentElement.dataset.hydrated = ''
  for (const { type, target } of globalThis.endEarlyEvents?.() ?? []) {
    const init = { bubbles: true, cancelable: true }
    target?.dispatchEvent(type === 'click' ? new MouseEvent(type, init) : new Event(type, init))
  }
}
