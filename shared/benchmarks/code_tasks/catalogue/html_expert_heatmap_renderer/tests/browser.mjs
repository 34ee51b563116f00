// Pages in a real browser, driven from outside of it over a pipe. The page's code never meets this program: what it draws is read in a world of our own
// that shares the document with it and no object, and what its functions give comes back as the browser copies it.
import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'

/** How long one thing that is asked of the browser may take: code that hangs ends the probe. */
const patienceMs = 20_000
const origin = 'http://page.invalid/'
const flags = [
  ...['--headless', '--no-sandbox', '--no-zygote', '--disable-gpu', '--in-process-gpu', '--disable-dev-shm-usage'],
  ...['--disable-breakpad', '--disable-extensions', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  ...['--no-first-run', '--no-default-browser-check', '--mute-audio', '--password-store=basic', '--disable-features=BackForwardCache,PaintHolding', '--remote-debugging-pipe'],
]

/** How often a browser is started that does not come up; nothing of the page is loaded before it has. */
const starts = 3

/** Starts the browser at this path. `serve(name)` gives the bytes of a file of the page, or null where there is none. */
export async function startBrowser(path, serve) {
  for (let left = starts; ; left -= 1) {
    const started = await start(path, serve).catch((error) => ({ error }))
    if (!started.error) return started
    if (left === 1) throw started.error
  }
}

async function start(path, serve) {
  const profile = mkdtempSync('/tmp/browser-')
  const browser = spawn(path, [...flags, `--user-data-dir=${profile}`, 'about:blank'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] })
  const waiting = new Map()
  const listeners = new Set()
  let last = 0
  const fail = (why) => {
    for (const { reject } of waiting.values()) reject(new Error(why))
    waiting.clear()
  }
  browser.on('exit', () => fail('the browser ended'))
  browser.on('error', (error) => fail(error.message))
  browser.stdio[3].on('error', () => fail('the browser ended'))
  const rest = []
  browser.stdio[4].on('data', (bytes) => {
    let from = 0
    for (let end = bytes.indexOf(0); end >= 0; from = end + 1, end = bytes.indexOf(0, from)) hear(JSON.parse(Buffer.concat([...rest.splice(0), bytes.subarray(from, end)]).toString()))
    rest.push(bytes.subarray(from))
  })
  const hear = ({ id, method, params, result, error }) => {
    if (id === undefined) for (const listener of [...listeners]) listener(method, params)
    const asked = waiting.get(id)
    waiting.delete(id)
    if (error) asked?.reject(new Error(error.message))
    else asked?.resolve(result)
  }
  let sessionId
  const send = (method, params = {}) =>
    new Promise((resolve, reject) => {
      const id = ++last
      const late = setTimeout(() => reject(new Error(`${method} took too long`)), patienceMs)
      const done = (end) => (value) => { clearTimeout(late); end(value) }
      waiting.set(id, { resolve: done(resolve), reject: done(reject) })
      browser.stdio[3].write(`${JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) })}\0`)
    })

  const close = () => {
    browser.removeAllListeners('exit')
    browser.kill('SIGKILL')
  }
  const within = (promise) => promise.catch((error) => { close(); throw error })
  const { targetId } = await within(send('Target.createTarget', { url: 'about:blank' }))
  sessionId = (await within(send('Target.attachToTarget', { targetId, flatten: true }))).sessionId
  const { frameTree } = await within(send('Page.getFrameTree'))
  const frameId = frameTree.frame.id
  let allowed = new Set()
  let own = 0
  const loads = new Set()
  let look = () => undefined
  listeners.add((method, params) => {
    if (method === 'Page.lifecycleEvent' && params.name === 'load' && params.frameId === frameId) {
      loads.add(params.loaderId)
      look()
    }
    if (method === 'Runtime.executionContextsCleared') own = 0
    if (method === 'Runtime.executionContextCreated' && params.context.auxData.isDefault && params.context.auxData.frameId === frameId) own = params.context.id
    if (method === 'Page.javascriptDialogOpening') send('Page.handleJavaScriptDialog', { accept: false }).catch(() => undefined)
    if (method === 'Fetch.requestPaused') answer(params).catch(() => undefined)
  })
  const answer = async ({ requestId, request }) => {
    const name = request.url.startsWith(origin) ? request.url.slice(origin.length) : null
    const body = name !== null && allowed.has(name) ? serve(name) : null
    if (body === null) return send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' })
    const type = name.endsWith('.html') ? 'text/html' : name.endsWith('.css') ? 'text/css' : 'text/javascript'
    return send('Fetch.fulfillRequest', { requestId, responseCode: 200, responseHeaders: [{ name: 'Content-Type', value: `${type}; charset=utf-8` }], body: body.toString('base64') })
  }
  const wanted = { 'Page.enable': {}, 'Runtime.enable': {}, 'Page.setLifecycleEventsEnabled': { enabled: true }, 'Fetch.enable': { patterns: [{ urlPattern: '*' }] }, 'Emulation.setFocusEmulationEnabled': { enabled: true } }
  await within(Promise.all(Object.entries(wanted).map(([method, params]) => send(method, params))))

  const value = ({ result, exceptionDetails }) => {
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
    return result
  }
  const called = async (where, declaration, args, more) => value(await send('Runtime.callFunctionOn', { ...where, functionDeclaration: declaration, arguments: args, awaitPromise: true, ...more }))
  const given = (args) => args.map((one) => ({ value: one }))

  /** Opens `index.html` anew with no other files than these. */
  const open = async (names, kit) => {
    allowed = new Set(['index.html', ...names])
    const { errorText, loaderId } = await send('Page.navigate', { url: `${origin}index.html` })
    if (errorText) throw new Error(errorText)
    await new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error('the page took too long')), patienceMs)
      look = () => {
        if (!loads.has(loaderId)) return
        clearTimeout(late)
        resolve()
      }
      look()
    })
    const page = own
    const { executionContextId: ours } = await send('Page.createIsolatedWorld', { frameId, worldName: 'probe' })
    const { objectId } = await called({ executionContextId: ours }, `() => (${kit})(document, (${tools})())`, [], { awaitPromise: false })
    return {
      /** What a function finds in the document, in our own world; it gets the kit and these arguments. */
      look: async (act, ...args) => {
        const found = await called({ executionContextId: ours }, `(...all) => (${act})(...all)`, [{ objectId }, ...given(args)], { returnByValue: true })
        await called({ executionContextId: ours }, '() => new Promise((resolve) => setTimeout(resolve, 0))', [])
        return found.value
      },
      /** Keeps what a function makes in the page's world; it gets the window and these arguments. */
      hold: async (make, ...args) => {
        const held = await called({ executionContextId: page }, `(...all) => (${make})(window, ...all)`, given(args), { awaitPromise: false })
        return {
          /** What a function gives for what was kept and these arguments, in the page's world; a promise is waited for. */
          ask: async (act, ...more) => (await called({ objectId: held.objectId }, `function (...all) { return (${act})(this, ...all) }`, given(more), { returnByValue: true })).value,
        }
      },
    }
  }
  return { open, close }
}

/** What a probe does to elements as people do it, for a world of our own in the page. */
function tools() {
  return {
    event: (type, init) => new ('key' in init ? KeyboardEvent : Event)(type, init),
    leave: (element) => {
      element.focus()
      element.blur()
    },
    colour: (text) => text.replace(/^rgb\((\d+), (\d+), (\d+)\)$/, (_, ...channels) => `#${channels.slice(0, 3).map((one) => Number(one).toString(16).padStart(2, '0')).join('')}`),
  }
}
