// Where a probe plays: in the browser whose path is its argument, otherwise in the small document of this folder. A scenario is the same in both: functions
// that use nothing but what they are given.
import { existsSync, readFileSync, writeSync } from 'node:fs'
import { createContext, runInContext } from 'node:vm'
import { startBrowser } from './browser.mjs'
import { createDocument, Event } from './dom.mjs'

const stringify = JSON.stringify
const [path] = process.argv.slice(2)
const browser = path === undefined ? null : await startBrowser(path, (name) => (existsSync(name) ? readFileSync(name) : null))
const tick = () => new Promise((resolve) => setImmediate(resolve))

// In a browser an error that nobody catches is reported, and the page goes on.
if (!browser) for (const kind of ['uncaughtException', 'unhandledRejection']) process.on(kind, (error) => console.error(error))

/** Prints what a case came to. */
export const observe = (name, value) => writeSync(1, `\n@@ ${name} ${stringify(value)}\n`)

/** Opens `index.html` with these scripts and no others; `kit` makes what `look` is given of the document. See browser.mjs for what comes back. */
export const openPage = (scripts, kit) => (browser ? browser.open(scripts, kit) : openSmall(scripts, kit))

/** Ends the browser. */
export const close = () => browser?.close()

async function openSmall(scripts, kit) {
  const document = createDocument(readFileSync('index.html', 'utf8'))
  const window = { document, Event, CustomEvent: Event, console, setTimeout, clearTimeout }
  window.window = window
  createContext(window)
  for (const script of scripts) runInContext(readFileSync(script, 'utf8'), window)
  const made = kit(document, { event: (type, init) => new Event(type, init), leave: (element) => element.blur(), colour: (text) => text })
  return {
    async look(act, ...args) {
      const found = act(made, ...args)
      await tick()
      return found
    },
    async hold(make, ...args) {
      const held = make(window, ...args)
      return {
        async ask(act, ...more) {
          const said = await act(held, ...more)
          await tick()
          return said
        },
      }
    },
  }
}
