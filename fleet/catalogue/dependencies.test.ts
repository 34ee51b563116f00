import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { afterAll, expect, test } from 'vitest'
import { runBench } from '#fleet/cli/fixture-api.ts'
import { room } from '#shared/benchmarks/code_tasks/card.ts'
import { type Files, HiddenTask } from '#shared/benchmarks/code_tasks/catalogue-task.ts'
import { Dependencies } from '#shared/benchmarks/code_tasks/dependencies.ts'
import { promptOf } from '#shared/benchmarks/code_tasks/prompt.ts'
import { testWorkspace } from '#shared/benchmarks/code_tasks/test-workspace.ts'
import { partPassed } from '#shared/contract/evidence/tests.ts'
import type { Sandbox } from '#shared/solvers/sandbox.ts'
import { createBubblewrap } from '../sandbox/bubblewrap/open-bubblewrap.ts'
import { findControlGroups } from '../sandbox/cgroup/control-groups.ts'
import { runGiven } from '../testing/run-given.ts'
import { readCatalogue } from './pack-catalogue.ts'

const groups = await findControlGroups()
const absent =
  spawnSync('bwrap', ['--version']).status !== 0 ? 'bwrap is not installed' : 'missing' in groups && `this machine ${groups.missing}`
if (absent) console.info(`skipped: ${absent}`)
const inSandbox = { timeout: 180_000, skip: absent !== false }
const bubblewrap = await createBubblewrap('bwrap', groups)
const folder = mkdtempSync(join(tmpdir(), 'bench-dependencies-'))
afterAll(() => {
  bubblewrap.close()
  rmSync(folder, { recursive: true })
})
const small = join(import.meta.dirname, '../../shared/benchmarks/code_tasks/testing/catalogue')

/** A task whose probe prints what a package says of itself. */
const taskOf = (
  more: Pick<HiddenTask, 'language' | 'dependencies'> & { command: string[]; files: Files; tests?: Files; build?: string[][] },
): HiddenTask =>
  HiddenTask.parse({
    ...{ language: more.language, dependencies: more.dependencies, timeout_seconds: 100, build: more.build ?? [] },
    ...{ probes: [{ name: 'says', command: more.command }], workspace: more.files, tests: more.tests ?? { none: '' } },
    expected: { says: { word: 'from the package' } },
  })

/**
 * Tests the task in a sandbox of bubblewrap. What a network would bring lies in it already, in `sources`, and installers are told so: they are the real ones.
 */
async function tested(task: HiddenTask, sources: Readonly<Record<string, Uint8Array>>, env: Record<string, string>) {
  const opened = await bubblewrap.open({ image: null, ...room, network: false }, new AbortController().signal)
  if (!opened.ok) throw new Error(opened.failure.detail)
  await using box = opened.value
  for (const [path, bytes] of Object.entries(sources)) await box.write(`sources/${path}`, bytes)
  const workBefore: boolean[] = []
  const served: Sandbox = {
    ...box,
    async exec(request) {
      if (/install|download/.test(request.argv.join(' '))) {
        const { exit_code } = await box.exec({ argv: ['test', '-e', 'work'], timeout_ms: 5000, output_bytes: 0 })
        workBefore.push(exit_code === 0)
      }
      return box.exec({ ...request, env: { ...request.env, ...env } })
    },
  }
  const done = await testWorkspace(task, task.workspace, { box: served, now: () => performance.now() })
  return { done, workBefore }
}

const metadata = 'Metadata-Version: 2.1\nName: shelfmark\nVersion: 1.0\n'
const wheel = zipSync({
  'shelfmark.py': strToU8('WORD = "from the package"\n'),
  'shelfmark-1.0.dist-info/METADATA': strToU8(metadata),
  'shelfmark-1.0.dist-info/WHEEL': strToU8('Wheel-Version: 1.0\nGenerator: us\nRoot-Is-Purelib: true\nTag: py3-none-any\n'),
  'shelfmark-1.0.dist-info/RECORD': strToU8(''),
})
const pip = { PIP_NO_INDEX: '1', PIP_FIND_LINKS: '/workspace/sources' }
const python = taskOf({
  ...{ language: 'python', dependencies: { python: ['shelfmark==1.0'] } },
  ...{
    files: { 'main.py': 'import json, shelfmark\nprint("@@ word", json.dumps(shelfmark.WORD))\n' },
    command: ['python3', '-B', 'main.py'],
  },
})

const inGo = 'example.com/shelfmark@v1.0.0'
const goSources = {
  'go/example.com/shelfmark/@v/list': strToU8('v1.0.0\n'),
  'go/example.com/shelfmark/@v/v1.0.0.info': strToU8('{"Version":"v1.0.0","Time":"2024-01-01T00:00:00Z"}'),
  'go/example.com/shelfmark/@v/v1.0.0.mod': strToU8('module example.com/shelfmark\n\ngo 1.19\n'),
  'go/example.com/shelfmark/@v/v1.0.0.zip': zipSync({
    [`${inGo}/go.mod`]: strToU8('module example.com/shelfmark\n\ngo 1.19\n'),
    [`${inGo}/word.go`]: strToU8('package shelfmark\n\nconst Word = "from the package"\n'),
  }),
}
const go = taskOf({
  ...{ language: 'go', dependencies: { go: [inGo] }, command: ['/tmp/main'], build: [['go', 'build', '-o', '/tmp/main', '.']] },
  files: {
    'go.mod': 'module x\n\ngo 1.19\n\nrequire example.com/shelfmark v1.0.0\n',
    'main.go':
      'package main\n\nimport (\n\t"fmt"\n\n\t"example.com/shelfmark"\n)\n\nfunc main() { fmt.Printf("@@ word %q\\n", shelfmark.Word) }\n',
  },
})

const npmSources = {
  'shelfmark/package.json': strToU8('{"name":"shelfmark","version":"1.0.0","main":"index.js"}'),
  'shelfmark/index.js': strToU8('exports.word = "from the package"\n'),
}
const npm = taskOf({
  ...{ language: 'javascript', dependencies: { npm: ['file:/workspace/sources/shelfmark'] }, command: ['node', 'main.mjs'] },
  files: { 'main.mjs': 'import shelfmark from "shelfmark"\nconsole.log("@@ word", JSON.stringify(shelfmark.word))\n' },
})

test.for([
  ['python3 -m pip', python, { 'shelfmark-1.0-py3-none-any.whl': wheel }, pip],
  ['go', go, goSources, { GOPROXY: 'file:///workspace/sources/go', GOSUMDB: 'off' }],
  ['npm', npm, npmSources, { npm_config_offline: 'true' }],
] as const)(
  '[SCORE243] what %s installs is there before any file of the task, and its code finds it',
  inSandbox,
  async ([tool, task, sources, env], context) => {
    const here =
      spawnSync('sh', ['-c', `PATH=/usr/local/bin:/usr/bin:/bin; ${tool === 'go' ? 'go version' : `${tool} --version`}`]).status === 0
    context.skip(!here, `${tool} is not installed`)
    const { done, workBefore } = await tested(task, sources, env)
    if (!done.ok) throw new Error(done.failure.detail)
    expect(partPassed(done.value), JSON.stringify(done.value)).toBe(true)
    expect(new Set(workBefore)).toEqual(new Set([false]))
    expect(done.value.toolchain).toContain(`, with a network; installed: ${Object.keys(task.dependencies!)[0]}: `)
  },
)

test(
  '[SCORE243] what cannot be installed, or who would install it is missing, is a failure of the sandbox that says so',
  inSandbox,
  async () => {
    const failed = { ok: false, failure: { at: 'sandbox', reason: 'unavailable' } }
    const { done } = await tested(python, {}, pip)
    expect(done).toMatchObject(failed)
    expect(!done.ok && done.failure.detail).toMatch(
      /^(The dependencies of the task could not be installed: python3 -m pip install .*shelfmark==1\.0 ended with exit code 1\. |.*python3-pip)/,
    )
    const crates = { ...python, dependencies: { cargo: ['tokio@1'] } }
    const lacking: Sandbox = {
      exec: async ({ argv: [name] }) => ({
        end: name === 'cargo' ? 'denied' : 'exited',
        exit_code: 0,
        stdout: strToU8('1'),
        stderr: new Uint8Array(),
      }),
      read: async () => null,
      write: async () => 'written',
    }
    expect(await testWorkspace(crates, crates.workspace, { box: lacking, now: () => 0 })).toMatchObject({
      ...failed,
      failure: { detail: expect.stringContaining('Install cargo ') },
    })
  },
)

test('[SCORE243] the manifest that crates are fetched by names each with its version, and nothing else of a task gets into it', async () => {
  const written: Record<string, string> = {}
  const box: Sandbox = {
    exec: async () => ({ end: 'exited', exit_code: 0, stdout: strToU8('1'), stderr: new Uint8Array() }),
    read: async () => null,
    write: async (path, bytes) => {
      written[path] = new TextDecoder().decode(bytes)
      return 'written'
    },
  }
  await testWorkspace({ ...python, dependencies: { cargo: ['tokio@1', 'indexmap@2.2'] } }, {}, { box, now: () => 0 })
  expect(written['dependencies/fetched/Cargo.toml']).toContain('[dependencies]\ntokio = "1"\nindexmap = "2.2"\n')
})

test('[SCORE243] a name that an installer would take for an option, a second word or a line of a manifest is refused', () => {
  for (const python of ['-r/etc/passwd', '--index-url=x', 'a b', 'a"b', ''])
    expect(Dependencies.safeParse({ python: [python] }).success, python).toBe(false)
  for (const cargo of ['tokio', 'tokio@1"\nx', '-x@1', 'a.b@1'])
    expect(Dependencies.safeParse({ cargo: [cargo] }).success, cargo).toBe(false)
  for (const go of ['example.com/x', '-x@v1', 'a b@v1']) expect(Dependencies.safeParse({ go: [go] }).success, go).toBe(false)
  expect(Dependencies.safeParse({}).success).toBe(false)
  expect(
    Dependencies.safeParse({
      python: ['numpy>=1.26,<2'],
      npm: ['@scope/name@^1.2'],
      go: ['golang.org/x/exp@v0.0.0-2024'],
      cargo: ['serde_json@1.0'],
    }).success,
  ).toBe(true)
})

/** The small catalogue with one task that names a dependency. */
function withDependency(): string {
  const catalogue = join(folder, 'catalogue')
  if (existsSync(catalogue)) return catalogue
  cpSync(small, catalogue, { recursive: true })
  const file = join(catalogue, 'python_shelf_labels/task.json')
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), dependencies: { python: ['shelfmark==1.0'] } }))
  return catalogue
}

test('[SCORE243] a model is told what is installed, and is told of nothing where nothing is', async () => {
  const prompts = (await readCatalogue(withDependency())).map((one) => ('task' in one ? promptOf(one.task, { include_tests: false }) : ''))
  expect(prompts.map((prompt) => /standard toolchain and (.*)\.\n/.exec(prompt)?.[1])).toEqual([
    'nothing that has to be installed',
    'what is installed for it (python: shelfmark==1.0)',
  ])
})

test('[SCORE244] no task of the program names a dependency', async () => {
  const all = await readCatalogue(join(small, '../../catalogue'))
  expect(all.flatMap((one) => ('task' in one && one.task.dependencies ? [one.id] : []))).toEqual([])
  expect(all.length).toBe(31)
})

test(
  '[SCORE244] without a network `bench tasks check` leaves such a task unchecked and says what it takes, with exit code 3',
  inSandbox,
  async () => {
    const { code, out } = await runBench(['tasks', 'check', withDependency(), '--runs', '1'])
    expect([code, out]).toEqual([
      3,
      [
        expect.stringMatching(/^good /),
        expect.stringMatching(
          /^unchecked {2}python_shelf_labels {2}The task names dependencies, which take a sandbox with a network .*bubblewrap sandboxes have no network/,
        ),
      ],
    ])
  },
)

test('[SCORE244] in a run a sandbox without a network fails the trial and scores nothing; other tasks go on', inSandbox, async () => {
  const references = await runBench(['tasks', 'reference', small, 'javascript_tally_words'])
  const shelf = await runBench(['tasks', 'reference', small, 'python_shelf_labels'])
  const answers = [
    { item: 'javascript_tally_words', texts: [references.out.join('\n')] },
    { item: 'python_shelf_labels', texts: [shelf.out.join('\n')] },
  ]
  const files = [{ role: 'test', path: withDependency() }]
  const { ended, recordOf } = await runGiven({ folder, benchmark: 'code_tasks', files, answers })
  expect(recordOf('javascript_tally_words').outcome).toBe('right')
  expect(recordOf('python_shelf_labels')).toMatchObject({
    ...{ outcome: 'failed', score: null },
    failure: { at: 'sandbox', reason: 'unavailable', detail: expect.stringContaining('have no network') },
  })
  expect(ended!.head.benchmarks.code_tasks).toMatchObject({ right: 1, wrong: 0, failed: 1 })
})
