import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { checkTask } from '#fleet/catalogue/check-task.ts'
import { packCatalogue } from '#fleet/catalogue/pack-catalogue.ts'
import { exitCodeOf } from '#fleet/cli/commands/tasks.ts'
import { runBench } from '#fleet/cli/fixture-api.ts'
import { createBubblewrap } from '#fleet/sandbox/bubblewrap/open-bubblewrap.ts'
import { findControlGroups } from '#fleet/sandbox/cgroup/control-groups.ts'
import { CatalogueTask, type Files, hiddenOf, solvedWorkspace } from '#shared/benchmarks/code_tasks/catalogue-task.ts'
import { profiles } from '#shared/benchmarks/code_tasks/profiles.ts'
import task from '#shared/benchmarks/code_tasks/task.ts'
import { testWorkspace } from '#shared/benchmarks/code_tasks/test-workspace.ts'
import { openTask } from '#shared/benchmarks/task.ts'
import { ReplayAnswer } from '#shared/contract/replay.ts'
import type { ExecResult, Sandbox } from '#shared/solvers/sandbox.ts'
import { codeTasksBook } from './code-tasks.ts'
import { planters } from './planted-code.ts'
import { held, playCheat } from './play-cheats.ts'

const groups = await findControlGroups()
const absent =
  spawnSync('bwrap', ['--version']).status !== 0 ? 'bwrap is not installed' : 'missing' in groups && `this machine ${groups.missing}`
if (absent) console.info(`skipped: ${absent}`)
const bubblewrap = await createBubblewrap('bwrap', groups)
const catalogue = join(import.meta.dirname, '../../shared/benchmarks/code_tasks/testing/catalogue')
const packed = await packCatalogue(catalogue)
const [tally, shelf] = packed
  .trimEnd()
  .split('\n')
  .map((line) => CatalogueTask.parse(JSON.parse(line))) as [CatalogueTask, CatalogueTask] // two tasks
const folder = mkdtempSync(join(tmpdir(), 'bench-tasks-'))
afterAll(() => {
  bubblewrap.close()
  rmSync(folder, { recursive: true })
})
const spec = { image: null, cpus: 1, memory_mb: 256, disk_mb: 64, network: false }

/** Tests a workspace in a sandbox of bubblewrap; `look` sees it afterwards. */
async function tested(one: CatalogueTask, files: Files, look?: (box: Sandbox) => Promise<void>) {
  const opened = await bubblewrap.open(spec, new AbortController().signal)
  if (!opened.ok) throw new Error(opened.failure.detail)
  await using box = opened.value
  const done = await testWorkspace(hiddenOf(one), files, { box, now: () => performance.now() })
  await look?.(box)
  if (!done.ok) throw new Error(done.failure.detail)
  return done.value
}
const ends = ({ tests }: { tests: readonly { end: string }[] }): string[] => tests.map(({ end }) => end)
const inSandbox = { timeout: 120_000, skip: absent !== false }

test('[SCORE220] the reference passes every case, the untouched workspace none that asks for something', inSandbox, async () => {
  for (const one of [tally, shelf]) {
    const solved = await tested(one, solvedWorkspace(one))
    expect(new Set(ends(solved))).toEqual(new Set(['passed']))
    expect(solved).toMatchObject({ total: one === tally ? 3 : 4, toolchain: expect.stringMatching(/^(Node v\d+|Python 3)/) })
    expect(ends(await tested(one, one.workspace))).toContain('failed')
  }
})

test('[SCORE220] nothing of the expected values or the reference is in the sandbox when its programs run', inSandbox, async () => {
  await tested(shelf, shelf.workspace, async (box) => {
    const argv = ['sh', '-c', 'find . -type f | sort; grep -rlE "S-1000|S-112|no number below" . ; cat /proc/[0-9]*/environ'] as const
    const { stdout } = await box.exec({ argv, timeout_ms: 20_000, output_bytes: 100_000 })
    const said = new TextDecoder().decode(stdout)
    expect(said.split('\n').filter((line) => line.startsWith('./'))).toEqual([
      './tests/from_stdin.py',
      './tests/labels.py',
      './work/README.md',
      './work/shelf.py',
    ])
    expect(said).not.toContain('BENCH')
  })
})

test.each([
  ['hangs', 'while True: pass', 'timeout'],
  ['eats memory', 'kept = []\nwhile True: kept.append(bytearray(10_000_000))', 'out-of-memory'],
  ['floods', 'while True: print("x" * 1000)', 'output-limit'],
  ['fills the disk', 'import sys\nwhile True: open(f"/tmp/{id(sys)}{len(sys.argv)}", "ab").write(bytes(1_000_000))', 'disk-full'],
  ['breaks', 'raise RuntimeError("broken on purpose")', 'error'],
])('[SCORE220] a program that %s is told by how it ended', { ...inSandbox }, async (_what, code, end) => {
  const quick = { ...shelf, timeout_seconds: end === 'timeout' ? 1 : 60, probes: shelf.probes.slice(0, 1) }
  const done = await tested(quick, { ...shelf.workspace, 'shelf.py': `${code}\n` })
  if (end === 'disk-full') expect(['disk-full', 'error']).toContain(done.tests[0]!.end)
  else expect(new Set(ends(done))).toEqual(new Set([end, end]))
  expect(done.stdout.length).toBeLessThan(300_000)
  expect(done.stdout.includes('bytes left out')).toBe(end === 'output-limit')
})

test(
  '[SCORE220] a build that fails ends it, and says what it said; what time it leaves is all that the probes have',
  inSandbox,
  async () => {
    const broken = await tested(tally, { 'src/tally.mjs': 'export function (' })
    expect(broken).toMatchObject({
      build: { ok: false, output: expect.stringMatching(/exit code 1[\s\S]*SyntaxError/) },
      total: 3,
      tests: [],
    })
    const slow = { ...shelf, timeout_seconds: 1, build: [['python3', '-c', 'while True: pass']] as [string, ...string[]][] }
    expect(await tested(slow, shelf.workspace)).toMatchObject({
      build: { ok: false, output: expect.stringContaining('as timeout') },
      tests: [],
    })
  },
)

/** A sandbox that answers like this, command by command. */
const saying = (...results: Partial<ExecResult>[]): Sandbox => ({
  exec: async () => ({ end: 'exited', exit_code: 0, stdout: new Uint8Array(), stderr: new Uint8Array(), ...results.shift() }),
  read: async () => null,
  write: async () => 'written',
})

test('[SCORE222] a missing toolchain and a sandbox that is lost are failures that say so', async () => {
  const outcome = async (box: Sandbox, one = shelf) => testWorkspace(hiddenOf(one), one.workspace, { box, now: () => 0 })
  const failed = (detail: string) => ({
    ok: false,
    failure: { at: 'sandbox', reason: 'unavailable', retryable: true, detail: expect.stringContaining(detail) },
  })
  const tools = { python: 'python3', javascript: 'nodejs', html: 'nodejs', go: 'golang-go', rust: 'rustc', cpp: 'g++' } as const
  for (const [language, name] of Object.entries(tools) as [keyof typeof tools, string][])
    expect(await outcome(saying({ end: 'denied' }), { ...shelf, language })).toMatchObject(failed(`Install ${name} `))
  expect(await outcome(saying({}, { end: 'unavailable' }))).toMatchObject(failed('while the probes ran'))
  expect(await outcome(saying({}, { end: 'unavailable' }), tally)).toMatchObject(failed('while the workspace was built'))
  expect(await outcome({ ...saying(), write: async () => 'unavailable' })).toMatchObject(failed('before the files were in it'))
  expect(await outcome({ ...saying(), write: async () => 'disk-full' })).toMatchObject({
    ok: true,
    value: { build: { ok: false }, tests: [] },
  })
})

test('[SCORE225] references come to 1, doing nothing and every known cheat to 0', { ...inSandbox, timeout: 300_000 }, async () => {
  const book = codeTasksBook(() => packed)
  const rows = await book.rows()
  const opened = await openTask(task, { profile: profiles[0]!, texts: {}, rows })
  const cases = await book.cases(opened, rows)
  expect(cases.filter(({ want }) => want === 1).map(({ item }) => item)).toEqual(['javascript_tally_words', 'python_shelf_labels'])
  expect(cases.length).toBeGreaterThan(40)
  for (const one of cases) {
    const played = await playCheat(task, book.profile, opened, one, bubblewrap)
    expect(held(played), JSON.stringify(played)).toBe(true)
  }
})

/** Programs that print `@@ a 1`, and what builds and runs them. */
const programs: Record<keyof typeof planters, [Files, string, string?]> = {
  python: [{ 'main.py': 'from __future__ import annotations\nprint("@@ a 1")\n' }, 'python3 main.py'],
  javascript: [{ 'main.mjs': 'console.log("@@ a 1")\n' }, 'node main.mjs'],
  html: [{ 'main.js': 'console.log("@@ a 1")\n' }, 'node main.js'],
  go: [
    { 'go.mod': 'module x\n\ngo 1.19\n', 'main.go': 'package main\n\nimport "fmt"\n\nfunc main() { fmt.Println("@@ a 1") }\n' },
    'GOCACHE=/tmp/go go run .',
    'go',
  ],
  rust: [{ 'main.rs': 'fn main() { println!("@@ a 1"); }\n' }, 'rustc -o /tmp/main main.rs && /tmp/main', 'rustc'],
  cpp: [{ 'main.cpp': '#include <cstdio>\nint main() { std::puts("@@ a 1"); }\n' }, 'g++ -o /tmp/main main.cpp && /tmp/main', 'g++'],
}

test.for(Object.entries(programs) as [keyof typeof planters, (typeof programs)['go']][])(
  '[SCORE225] what is planted into %s really runs, first, and ends it where it is meant to',
  { ...inSandbox, timeout: 180_000 },
  async ([language, [files, command, tool]], context) => {
    const opened = await bubblewrap.open({ ...spec, memory_mb: 1024, disk_mb: 512 }, new AbortController().signal)
    if (!opened.ok) throw new Error(opened.failure.detail)
    await using box = opened.value
    const run = async (line: string) => {
      const done = await box.exec({ argv: ['sh', '-c', line], timeout_ms: 120_000, output_bytes: 100_000 })
      return [done.exit_code, new TextDecoder().decode(done.stdout), new TextDecoder().decode(done.stderr)]
    }
    if (tool) context.skip((await run(`command -v ${tool}`))[0] !== 0, `${tool} is not installed`)
    for (const [end, said] of [
      [false, 'first\n@@ a 1\n'],
      [true, 'first\n'],
    ] as const) {
      const planted = planters[language](files, 'echo first', end)
      for (const [path, text] of Object.entries(planted)) await box.write(path, new TextEncoder().encode(text))
      expect((await run(command)).slice(0, 2)).toEqual([0, said])
    }
  },
)

test('[CLI139] `bench tasks check` calls good tasks good', inSandbox, async () => {
  const all = await runBench(['tasks', 'check', catalogue])
  expect(all).toMatchObject({
    code: 0,
    out: [expect.stringMatching(/^good .*javascript_tally_words {2}3 cases/), expect.stringMatching(/^good .*python_shelf_labels/)],
  })
})

/** A copy of the small catalogue's Python task, changed so. */
function changed(name: string, file: string, change: (text: string) => string): string {
  const dir = join(folder, name, 'python_shelf_labels')
  cpSync(join(catalogue, 'python_shelf_labels'), dir, { recursive: true })
  writeFileSync(join(dir, file), change(readFileSync(join(dir, file), 'utf8')))
  return join(folder, name)
}

test.each([
  [
    'a reference that fails',
    'reference/shelf.py',
    (text: string) => text.replace('zfill(3)', 'zfill(4)'),
    'The reference fails: labels/single failed, expected',
  ],
  [
    'a reference that is not steady',
    'reference/shelf.py',
    (text: string) => `import os\nif os.urandom(1)[0] % 2: raise RuntimeError("unlucky")\n${text}`,
    /The reference (is not steady: it failed \d of 5 times|fails)/,
  ],
  ['a verdict as value', 'expected.json', (text: string) => text.replace('["S-007", "S-112"]', 'true'), 'stdin.read: is true alone'],
  ['a fault of form', 'task.json', (text: string) => text.replace('"schema": 1', '"schema": 2'), 'python_shelf_labels/task.json: schema: '],
])('[CLI139] `bench tasks check` says of %s what is wrong, with exit code 1', inSandbox, async (name, file, change, why) => {
  const { code, out } = await runBench(['tasks', 'check', changed(name.replaceAll(' ', '-'), file, change)])
  expect([code, out]).toEqual([1, [expect.stringMatching(/^bad {8}python_shelf_labels {2}/)]])
  expect(out[0]).toEqual(typeof why === 'string' ? expect.stringContaining(why) : expect.stringMatching(why))
})

test('[CLI139] a workspace that passes as it stands is told, and so is a folder that holds none', inSandbox, async () => {
  const solved = readFileSync(join(catalogue, 'python_shelf_labels/reference/shelf.py'), 'utf8')
  const dir = changed('solved', 'workspace/shelf.py', () => solved)
  writeFileSync(join(dir, 'python_shelf_labels/reference/shelf.py'), `${solved}# the same\n`)
  const { code, out } = await runBench(['tasks', 'check', dir, '--json'])
  expect(code).toBe(1)
  expect(JSON.parse(out[0]!)).toEqual({
    task_id: 'python_shelf_labels',
    type: 'bad',
    faults: ['The untouched workspace passes: the task asks for nothing.', 'A change that does nothing passes: the task asks for nothing.'],
  })
  expect(await runBench(['tasks', 'check', join(catalogue, 'python_shelf_labels/tests')])).toMatchObject({ code: 1, out: [] })
  expect(await runBench(['tasks', 'check', join(folder, 'nowhere')])).toMatchObject({ code: 1, out: [] })
  expect(await runBench(['tasks', 'measure', catalogue])).toMatchObject({ code: 2, out: [] })
})

test('[CLI139] what this machine lacks to check a task is told, calls no task bad, and ends with exit code 3', async () => {
  const failure = { at: 'sandbox', reason: 'unavailable', retryable: true, status: null, detail: 'no sandbox here' } as const
  const sandboxes = { open: async () => ({ ok: false as const, failure }) }
  const checking = { sandboxes, spec, runs: 1, now: () => 0, signal: new AbortController().signal, progress: () => undefined }
  expect(await checkTask(shelf, checking)).toEqual({ type: 'unchecked', missing: 'no sandbox here' })
  expect([exitCodeOf(['good', 'unchecked']), exitCodeOf(['unchecked', 'bad']), exitCodeOf(['good'])]).toEqual([3, 1, 0])
})

test('[CLI139] the kind of sandbox and the number of runs are what was asked for', inSandbox, async () => {
  vi.stubEnv('BENCH_SANDBOX_IMAGE', '')
  const { code, out } = await runBench(['tasks', 'check', join(catalogue, 'python_shelf_labels'), '--sandbox', 'docker'])
  vi.unstubAllEnvs()
  expect([code, out]).toEqual([
    3,
    [expect.stringMatching(/^unchecked {2}python_shelf_labels {2}Docker has no image for sandboxes: set BENCH_SANDBOX_IMAGE/)],
  ])
  let opened = 0
  const open: typeof bubblewrap.open = (...given) => {
    opened += 1
    return bubblewrap.open(...given)
  }
  const checking = { spec, runs: 2, now: () => performance.now(), signal: new AbortController().signal, progress: () => undefined }
  expect(await checkTask(shelf, { ...checking, sandboxes: { open } })).toMatchObject({ type: 'good' })
  expect(opened).toBe(2 + 2) // the untouched workspace and a change that does nothing come after the references
})

test('[CLI140] `bench tasks reference` prints an answer that applies and passes', inSandbox, async () => {
  const { code, out } = await runBench(['tasks', 'reference', catalogue, 'javascript_tally_words'])
  expect(code).toBe(0)
  const opened = await openTask(task, { profile: profiles[0]!, texts: {}, rows: await codeTasksBook(() => packed).rows() })
  const one = { index: 0, item: tally.task_id, cheat: 'reference', answers: [`Here it is.\n${out.join('\n')}`], want: 1 as const }
  expect(held(await playCheat(task, 'builtin', opened, one, bubblewrap))).toBe(true)
  expect((await runBench(['tasks', 'reference', catalogue, 'none'])).code).toBe(1)
  const all = (await runBench(['tasks', 'reference', catalogue])).out.map((line) => ReplayAnswer.parse(JSON.parse(line)))
  expect(all.map(({ benchmark, item }) => [benchmark, item])).toEqual(
    ['javascript_tally_words', 'python_shelf_labels'].map((id) => ['code_tasks', id]),
  )
  expect(all[0]!.texts).toEqual([out.join('\n')])
})
