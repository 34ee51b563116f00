import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readCatalogue } from '#fleet/catalogue/pack-catalogue.ts'
import { createBubblewrap } from '#fleet/sandbox/bubblewrap/open-bubblewrap.ts'
import { findControlGroups } from '#fleet/sandbox/cgroup/control-groups.ts'
import { room } from '#shared/benchmarks/code_tasks/card.ts'
import { type CatalogueTask, type Files, hiddenOf, solvedWorkspace } from '#shared/benchmarks/code_tasks/catalogue-task.ts'
import { browserPaths } from '#shared/benchmarks/code_tasks/find-browser.ts'
import { testWorkspace } from '#shared/benchmarks/code_tasks/test-workspace.ts'
import { someOf } from '#shared/testing/draws.ts'
import { withoutBrowser } from './two-ways.ts'

const catalogue = join(import.meta.dirname, '../../shared/benchmarks/code_tasks/catalogue')
const taskOf = async (id: string): Promise<CatalogueTask> => {
  const [read] = await readCatalogue(join(catalogue, id))
  if (!read || 'faults' in read) throw new Error(`${id} is no task`)
  return read.task
}
const [map, form] = (await Promise.all(['html_expert_heatmap_renderer', 'html_expert_form_validator'].map(taskOf))) as [
  CatalogueTask,
  CatalogueTask,
]

const groups = await findControlGroups()
const absent = !existsSync('/usr/bin/bwrap')
  ? 'bwrap is not installed'
  : !existsSync('/usr/bin/node')
    ? 'nodejs is not installed'
    : !browserPaths.some((path) => path.startsWith('/') && existsSync(path))
      ? 'chromium is not installed'
      : 'missing' in groups && `this machine ${groups.missing}`
if (absent) console.info(`skipped: ${absent}`)
const bubblewrap = await createBubblewrap('bwrap', groups)
afterAll(() => bubblewrap.close())
const inSandbox = { timeout: 180_000, skip: absent !== false }

/** What a workspace comes to, in a browser and without one: what it was tested with, and the end of every case. */
async function bothWays(task: CatalogueTask, files: Files) {
  const found: { with: string; ends: Record<string, string>; stderr: string }[] = []
  for (const { open } of [bubblewrap, withoutBrowser(bubblewrap)]) {
    const opened = await open({ image: null, ...room, network: false }, new AbortController().signal)
    if (!opened.ok) throw new Error(opened.failure.detail)
    await using box = opened.value
    const done = await testWorkspace(hiddenOf(task), files, { box, now: () => performance.now() })
    if (!done.ok) throw new Error(done.failure.detail)
    const { toolchain, tests, stderr } = done.value
    found.push({ with: toolchain, ends: Object.fromEntries(tests.map(({ name, end }) => [name, end])), stderr })
  }
  const [browser, node] = found as [(typeof found)[0], (typeof found)[0]]
  expect(browser.with).toMatch(/^Chromium \d+\.\d\S*, driven by Node v\d/)
  expect(node.with).toMatch(/^Node v\d\S*; no browser is there$/)
  return { browser, node }
}
const changed = (task: CatalogueTask, path: string, from: string, to: string): Files => {
  const solved = solvedWorkspace(task)
  expect(solved[path]).toContain(from)
  return { ...solved, [path]: solved[path]!.replace(from, to) }
}

test.for(someOf([map, form], 1))(
  '[SCORE230] $task_id: the reference passes every case in a real browser and without one',
  inSandbox,
  async (task) => {
    const { browser, node } = await bothWays(task, solvedWorkspace(task))
    expect(new Set(Object.values(browser.ends)), browser.stderr).toEqual(new Set(['passed']))
    expect(node.ends).toEqual(browser.ends)
  },
)

test('[SCORE230] the untouched workspace passes nothing either way, and a small bug fails the same cases', inSandbox, async () => {
  const untouched = await bothWays(map, map.workspace)
  expect(Object.values(untouched.browser.ends)).not.toContain('passed')
  expect(Object.keys(untouched.browser.ends)).toEqual(Object.keys(untouched.node.ends))
  const bug = await bothWays(map, changed(map, 'heatmap.js', 'cell === cellAt(current) ? 0 : -1', 'cell === cellAt(current) ? -1 : 0'))
  expect(bug.browser.ends).toMatchObject({ 'page/plain': 'failed', 'page/contrast': 'passed', 'scale/steps': 'passed' })
  expect(bug.node.ends).toEqual(bug.browser.ends)
})

/** What a page can do to those who look at it from within: its elements and its JSON say something else than they are. */
const lies = `if (globalThis.Element) {
  for (const name of ['getAttribute', 'querySelectorAll']) Element.prototype[name] = () => 'a lie'
  for (const [of, name] of [[Node, 'textContent'], [Element, 'className'], [Element, 'children']]) {
    const { set } = Object.getOwnPropertyDescriptor(of.prototype, name)
    Object.defineProperty(of.prototype, name, { get: () => 'a lie', set })
  }
  Object.prototype.toJSON = Array.prototype.toJSON = () => 'a lie'
  JSON.stringify = () => '"a lie"'
  console.log('@@ plain "a lie"')
}
`

test(
  '[SCORE231] in a browser a page is seen as it is, whatever its own code says of it, and what it says is no observation',
  inSandbox,
  async () => {
    const solved = solvedWorkspace(map)
    const lying = await bothWays(map, { ...solved, 'heatmap.js': `${solved['heatmap.js']}\n${lies}` })
    const drawn = ['page', 'plain', 'options', 'modes', 'small', 'contrast'].map((name) => lying.browser.ends[`page/${name}`])
    expect(new Set(drawn), lying.browser.stderr).toEqual(new Set(['passed']))
    expect(new Set(Object.entries(lying.browser.ends).flatMap(([name, end]) => (name.startsWith('scale/') ? [end] : [])))).toEqual(
      new Set(['passed']),
    )
  },
)
