import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRun, untilEnded, untilRecorded } from './call-api.ts'
import { listeningPorts } from './listening-ports.ts'
import { chromiumPath, openBrowser, visit } from './open-browser.ts'
import { type SharedStack, sharedStack } from './shared-stack.ts'

let stack: SharedStack
let browser: Browser
let runId = ''
/** What only the owner of the machine may read. */
let secrets: string[] = []

if (chromiumPath) {
  beforeAll(async () => {
    stack = await sharedStack()
    // What DNS rebinding comes to: the name of another site leads to this machine.
    // Chromium's own guard against that is off: not every browser has one.
    browser = await openBrowser('--host-resolver-rules=MAP evil.test 127.0.0.1', '--disable-features=LocalNetworkAccessChecks')
    const body = { model_id: 'demo-model', selected_benchmarks: ['mmlu_pro'], profile: 'builtin', subset_count: 4, visibility: 'private' }
    const { id } = await createRun(stack.url, body)
    runId = (await untilRecorded(stack.url, (await untilEnded(stack.url, id)).id)).id
    secrets = [`/api/runs/${runId}`, `/api/runs/${runId}/export?format=zip`, '/api/keys', '/api/agents', '/api/runs', '/']
  })
  afterAll(() => browser?.close())
}

const evil = `<!doctype html><title>evil</title><script>
  async function openStreams(path) {
    const source = new EventSource(path)
    const stream = await new Promise((resolve) => {
      source.onmessage = source.onopen = () => resolve('open')
      source.onerror = () => resolve('refused')
    })
    source.close()
    const socket = new WebSocket('ws://' + location.host + path)
    const opened = await new Promise((resolve) => {
      socket.onopen = () => resolve('open')
      socket.onerror = () => resolve('refused')
    })
    return [stream, opened]
  }
  function postForm(path, type) {
    const frame = Object.assign(document.createElement('iframe'), { name: 'to-' + Math.random() })
    const form = Object.assign(document.createElement('form'), { method: 'post', action: path, target: frame.name, enctype: type })
    form.append(Object.assign(document.createElement('input'), { name: '{"model_id":"demo-model","x":"', value: '"}' }))
    document.body.append(frame, form)
    form.submit()
  }
</script><body>`

/** A page of the other site on this port: its document is its own, all else it asks for goes to what listens there. */
async function openEvilPage(port: number): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  const address = `http://evil.test:${port}/start`
  await page.route(address, (route) => route.fulfill({ contentType: 'text/html', body: evil }))
  await page.goto(address)
  return page
}

const loopback = (port: number) => `http://127.0.0.1:${port}/api/runs`
/** Headers by which a page could claim to be somebody else. */
const disguises = (port: number): Record<string, string>[] => [
  {},
  { 'MF-Original-URL': loopback(port), 'MF-Original-Hostname': '127.0.0.1' },
  { 'MF-Op-Original-URL': loopback(port), 'MF-Route-Override': 'chutes-bench-runner' },
  { 'X-Forwarded-Host': `127.0.0.1:${port}`, 'X-Forwarded-For': '127.0.0.1', Forwarded: `host=127.0.0.1:${port};for=127.0.0.1` },
  { 'CF-Connecting-IP': '127.0.0.1', 'True-Client-IP': '127.0.0.1', 'X-Real-IP': '127.0.0.1' },
  { 'X-Bench-Door': 'guessed', 'X-HTTP-Method-Override': 'GET', 'X-Original-URL': '/api/keys', 'X-Host': '127.0.0.1' },
]

type Ask = { paths: string[]; headers: Record<string, string>[] }
/** Status and body of every fetch the page could make. */
const fetchAll = (page: Page, ask: Ask) =>
  page.evaluate(async ({ paths, headers }) => {
    const seen: [string, number, string][] = []
    for (const path of paths)
      for (const one of headers)
        for (const method of ['GET', 'POST', 'DELETE']) {
          const answer = await fetch(path, { method, headers: one, ...(method === 'POST' && { body: '{}' }) }).catch(() => null)
          seen.push([`${method} ${path} ${Object.keys(one)[0] ?? ''}`, answer?.status ?? 0, (await answer?.text())?.slice(0, 200) ?? ''])
        }
    return seen
  }, ask)

/** How an event stream and a WebSocket to this path end. */
const openStreams = (page: Page, path: string): Promise<unknown> => page.evaluate(`openStreams(${JSON.stringify(path)})`)

/** Status of the answer to a form that the page sends into a frame of its own. */
async function postForm(page: Page, path: string, type: string): Promise<number> {
  const answered = page.waitForResponse((response) => response.request().method() === 'POST')
  await page.evaluate(`postForm(${JSON.stringify(path)}, ${JSON.stringify(type)})`)
  return (await answered).status()
}

test('[START20] a page of another site whose name leads here reads and does nothing: fetches, streams, sockets and forms are refused', async (context) => {
  context.skip(!chromiumPath, 'no Chromium on this machine (CHROMIUM names one)')
  const port = Number(new URL(stack.url).port)
  const page = await openEvilPage(port)
  const seen = await fetchAll(page, { paths: secrets, headers: disguises(port) })
  expect(seen).toHaveLength(secrets.length * 6 * 3)
  for (const [what, status, body] of seen) expect([what, status, body.includes('misdirected')]).toEqual([what, 421, true])
  expect(await openStreams(page, `/api/runs/${runId}/events`)).toEqual(['refused', 'refused'])
  expect(await openStreams(page, '/api/fleet/socket')).toEqual(['refused', 'refused'])
  for (const type of ['text/plain', 'multipart/form-data', 'application/x-www-form-urlencoded'])
    for (const path of ['/api/runs', '/api/keys', `/api/runs/${runId}/cancel`]) expect(await postForm(page, path, type)).toBe(421)
  await page.context().close()
})

test.skipIf(process.platform !== 'linux')(
  '[START21] nor does it behind the door: the ports of our other processes give it nothing',
  async (context) => {
    context.skip(!chromiumPath, 'no Chromium on this machine (CHROMIUM names one)')
    const door = Number(new URL(stack.url).port)
    const inner = listeningPorts(stack.pid).filter(({ port }) => port !== door)
    expect(inner.some(({ program }) => program.includes('workerd'))).toBe(true)
    for (const { port, program } of inner) {
      const page = await openEvilPage(port)
      const headers = [...disguises(port), { 'MF-Original-URL': `${stack.url}/api/keys` }]
      for (const [what, status, body] of await fetchAll(page, { paths: secrets, headers }))
        expect([program, what, status >= 200 && status < 300, body.includes(runId)]).toEqual([program, what, false, false])
      await page.context().close()
    }
  },
)

test('[START20] the ordinary page works beside it', async (context) => {
  context.skip(!chromiumPath, 'no Chromium on this machine (CHROMIUM names one)')
  const page = await (await browser.newContext()).newPage()
  await visit(page, `${stack.url}/runs/${runId}`)
  expect(await page.evaluate(async (id) => (await fetch(`/api/runs/${id}`)).status, runId)).toBe(200)
  await page.context().close()
})
