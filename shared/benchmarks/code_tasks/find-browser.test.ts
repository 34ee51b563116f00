import { expect, test } from 'vitest'
import type { Item } from '../../contract/item.ts'
import type { ExecRequest, ExecResult, Sandbox } from '../../solvers/sandbox.ts'
import { scriptedKit } from '../../solvers/testing/scripted-kit.ts'
import { room } from './card.ts'
import { CatalogueTask, hiddenOf } from './catalogue-task.ts'
import { diffAnswer } from './diff-answer.ts'
import { browserPaths, findBrowser } from './find-browser.ts'
import { solveTask } from './solve.ts'
import { testWorkspace } from './test-workspace.ts'

type Ran = { argv: readonly string[]; result: Partial<ExecResult> }
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const said = (text: string): Partial<ExecResult> => ({ stdout: bytes(text) })
const absent: Partial<ExecResult> = { end: 'denied', exit_code: null }

/** A sandbox whose programs answer by the first of these words that is in their command; what is named nowhere is not there. */
function boxOf(answers: readonly [string, Partial<ExecResult>][]): Sandbox & { ran: Ran[] } {
  const ran: Ran[] = []
  return {
    ran,
    exec: async ({ argv }: ExecRequest) => {
      const result = answers.find(([word]) => argv.join(' ').includes(word))?.[1] ?? absent
      ran.push({ argv, result })
      return { end: 'exited', exit_code: 0, stdout: new Uint8Array(), stderr: new Uint8Array(), ...result }
    },
    read: async () => null,
    write: async () => 'written',
  }
}
const [shell, full] = browserPaths
const starts: [string, Partial<ExecResult>] = ['--dump-dom', said('<html><head></head><body></body></html>\n')]

const page = CatalogueTask.parse({
  ...{ schema: 1, task_id: 'html_page', language: 'html', type: 'bug_fix', difficulty: 'easy', tags: [], timeout_seconds: 60, build: [] },
  ...{ browser: true, probes: [{ name: 'page', command: ['node', '../tests/page.mjs'] }], instructions: 'Mend it.' },
  ...{ workspace: { 'index.html': '' }, tests: { 'page.mjs': '' }, expected: { page: { a: 1 } }, reference: { 'index.html': 'x' } },
})
const node: [string, Partial<ExecResult>] = ['node --version', said('v18.20.4\n')]
const observed: [string, Partial<ExecResult>] = ['page.mjs', said('@@ a 1\n')]
const itemOf = (content: string): Item => ({
  ...{ item_id: '0', source_id: 'html_page', item_hash: '0'.repeat(64), group: 'html', target: 'passed', metadata: {} },
  messages: [{ role: 'user', content }],
})
const tested = async (box: Sandbox, task = page) => testWorkspace(hiddenOf(task), task.workspace, { box, now: () => 0 })

test('[SCORE229] probes are given the first browser that is there and starts, and what they ran with says its version', async () => {
  const box = boxOf([[`${shell} --version`, said('Chromium 1.2 \n')], starts, node, observed])
  expect(await tested(box)).toMatchObject({
    ok: true,
    value: { toolchain: 'Chromium 1.2, driven by Node v18.20.4', tests: [{ end: 'passed' }] },
  })
  expect(box.ran.at(-1)!.argv).toEqual(['node', '../tests/page.mjs', shell])
  expect(await findBrowser(boxOf([[`${full} --version`, said('Chromium 3')], starts]))).toEqual({
    ok: true,
    value: { path: full, version: 'Chromium 3' },
  })
})

test('[SCORE229] without a browser, and with one that does not start, Node tests, and it is said why', async () => {
  const bare = boxOf([node, observed])
  expect(await tested(bare)).toMatchObject({
    ok: true,
    value: { toolchain: 'Node v18.20.4; no browser is there', tests: [{ end: 'passed' }] },
  })
  expect(bare.ran.at(-1)!.argv).toEqual(['node', '../tests/page.mjs'])
  const there: [string, Partial<ExecResult>] = [`${full} --version`, said('Chromium 3\n')]
  const why = async (started: Partial<ExecResult>) => {
    const done = await tested(boxOf([there, ['--dump-dom', started], node, observed]))
    return done.ok && done.value.toolchain
  }
  expect(await why({ exit_code: 133 })).toBe('Node v18.20.4; Chromium 3 is there but does not start: it ended with exit code 133')
  expect(await why({ end: 'out-of-memory', exit_code: null })).toBe(
    'Node v18.20.4; Chromium 3 is there but does not start: it ended as out-of-memory',
  )
  expect(await why(said('nothing'))).toMatch(/does not start: it ended with exit code 0$/)
})

test('[SCORE229] a browser that crashes once is started again', async () => {
  const box = boxOf([[`${shell} --version`, said('Chromium 1.2')]])
  const { exec } = box
  let starts = 0
  box.exec = async (request) => {
    if (!request.argv.includes('--dump-dom')) return exec(request)
    const crashed = { end: 'exited', exit_code: 139, stdout: new Uint8Array(), stderr: new Uint8Array() } as ExecResult
    return ++starts === 1 ? crashed : { ...crashed, exit_code: 0, stdout: bytes('<html></html>') }
  }
  expect(await findBrowser(box)).toEqual({ ok: true, value: { path: shell, version: 'Chromium 1.2' } })
  expect(starts).toBe(2)
})

test('[SCORE229] a browser is looked for before files of an answer are there, only for a task that asks for one, and a lost sandbox is a failure', async () => {
  const order: string[] = []
  const box = boxOf([[`${shell} --version`, said('Chromium 1')], starts, node, observed])
  const write: Sandbox['write'] = async (path) => {
    order.push(path)
    return 'written'
  }
  const exec: Sandbox['exec'] = (request) => {
    order.push(request.argv[0])
    return box.exec(request)
  }
  await tested({ ...box, exec, write })
  expect(order).toEqual(['node', shell, shell, 'work/index.html', 'tests/page.mjs', 'node'])
  const { browser: _, ...plain } = page
  const other = boxOf([[`${shell} --version`, said('Chromium 1')], starts, node, observed])
  expect(await tested(other, plain)).toMatchObject({ ok: true, value: { toolchain: 'Node v18.20.4' } })
  expect(other.ran.map(({ argv }) => argv[0])).toEqual(['node', 'node'])
  const lost: Partial<ExecResult> = { end: 'unavailable', exit_code: null }
  for (const answers of [
    [['--version', lost]],
    [
      [`${shell} --version`, said('Chromium 1')],
      ['--dump-dom', lost],
    ],
  ] as [string, typeof lost][][])
    expect(await tested(boxOf([node, ...answers]))).toMatchObject({
      ok: false,
      failure: { at: 'sandbox', reason: 'unavailable', retryable: true },
    })
})

test('[SCORE229] the evidence names what a trial was tested with', async () => {
  const kit = scriptedKit({ model: () => diffAnswer(page.workspace, { 'index.html': 'x\n' }) })
  const box = boxOf([[`${shell} --version`, said('Chromium 1.2')], starts, node, observed])
  const solved = await solveTask('builtin', room)(itemOf('Mend it.'), {
    ...kit,
    hidden: async () => ({ ok: true, value: hiddenOf(page) }),
    sandbox: async () => ({ ok: true, value: box }),
  })
  expect(solved.ok && solved.value.parts[0]).toMatchObject({ tested_with: 'Chromium 1.2, driven by Node v18.20.4', total: 1 })
})

test('[SCORE229] only a task in HTML can ask for a browser', () => {
  const parsed = CatalogueTask.safeParse({ ...page, language: 'javascript' })
  expect(parsed.error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
    ['browser', 'is for tasks in html alone: no other program is tested in a browser'],
  ])
})
