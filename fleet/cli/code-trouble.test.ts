import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { File, ready } from 'h5wasm/node'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { findControlGroups } from '#fleet/sandbox/cgroup/control-groups.ts'
import { diffAnswer } from '#shared/benchmarks/code_tasks/diff-answer.ts'
import { runGiven } from '../testing/run-given.ts'
import { runBench } from './fixture-api.ts'

const groups = await findControlGroups()
const absent =
  spawnSync('bwrap', ['--version']).status !== 0 ? 'bwrap is not installed' : 'missing' in groups && `this machine ${groups.missing}`
if (absent) console.info(`skipped: ${absent}`)
const inSandbox = { timeout: 120_000, skip: absent !== false }

const benchmarks = join(import.meta.dirname, '../../shared/benchmarks')
const folder = mkdtempSync(join(tmpdir(), 'bench-trouble-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Whether a process of this machine has a word among its arguments. */
const runs = (word: string): boolean =>
  readdirSync('/proc').some((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(word)
    } catch {
      return false // it ended meanwhile, or is no process
    }
  })
/** Unfinished files that a run left in its folder or in that of the data. */
const unfinished = (dir: string): string[] =>
  [dir, join(folder, 'data')].flatMap((one) =>
    existsSync(one) ? readdirSync(one, { recursive: true, encoding: 'utf8' }).filter((name) => /\.part$|\.tmp$|\.lock$/.test(name)) : [],
  )
const rowsOf = (name: string): Record<string, unknown>[] =>
  readFileSync(join(benchmarks, name), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
function written(name: string, rows: readonly object[], bytesLess = 0): string {
  const path = join(folder, name)
  const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  writeFileSync(path, text.slice(0, text.length - bytesLess))
  return path
}

/** A task of the small catalogue under another name and changed so, in a catalogue of this test. */
function addTask(catalogue: string, from: string, id: string, change: (task: { probes: { command: string[] }[] }) => object): void {
  const dir = join(catalogue, id)
  cpSync(join(benchmarks, 'code_tasks/testing/catalogue', from), dir, { recursive: true })
  const file = join(dir, 'task.json')
  writeFileSync(file, JSON.stringify({ ...change(JSON.parse(readFileSync(file, 'utf8'))), task_id: id }))
}

/** A path of programs on which bwrap is one whose sandboxes have no working rustc, as on a machine without it. */
function pathWithoutRust(): string {
  const dir = mkdtempSync('/var/tmp/bench-bin-') // sandboxes are started where /tmp is another
  onTestFinished(() => rmSync(dir, { recursive: true }))
  chmodSync(dir, 0o755) // bwrap is started by a user without rights
  const [bwrap] = spawnSync('sh', ['-c', 'command -v bwrap'], { encoding: 'utf8' }).stdout.split('\n')
  const rustc = existsSync('/usr/bin/rustc') ? `--ro-bind /dev/null ${realpathSync('/usr/bin/rustc')}` : ''
  const script = `#!/bin/sh
left=$#
while [ $left -gt 0 ]; do
  word=$1; shift; left=$((left - 1))
  [ "$word" = --proc ] && set -- "$@" ${rustc}
  set -- "$@" "$word"
done
exec ${bwrap} "$@"
`
  writeFileSync(join(dir, 'bwrap'), script, { mode: 0o755 })
  return `${dir}:${process.env.PATH}`
}

test(
  '[SCORE241] code tasks: a toolchain that is missing fails its trial alone and says what to install; a change that hangs is wrong; the run goes on and leaves nothing',
  inSandbox,
  async () => {
    const catalogue = join(folder, 'catalogue')
    const mark = `mark-${randomUUID()}`
    addTask(catalogue, 'python_shelf_labels', 'steady', (task) => task)
    addTask(catalogue, 'python_shelf_labels', 'hangs', (task) => ({
      ...task,
      timeout_seconds: 2,
      probes: task.probes.map((probe) => ({ ...probe, command: [...probe.command, mark] })),
    }))
    addTask(catalogue, 'python_shelf_labels', 'lacks', (task) => ({ ...task, language: 'rust' }))
    const workspace = readFileSync(join(catalogue, 'hangs/workspace/shelf.py'), 'utf8')
    const { out } = await runBench(['tasks', 'reference', join(catalogue, 'steady'), 'steady'])
    const answers = [
      { item: 'hangs', texts: [diffAnswer({ 'shelf.py': workspace }, { 'shelf.py': 'import os\n\nos.fork()\nwhile True:\n    pass\n' })] },
      { texts: [out.join('\n')] },
    ]
    const files = [{ role: 'test', path: catalogue }]
    const env = { PATH: pathWithoutRust() }
    const { ended, recordOf } = await runGiven({ folder, benchmark: 'code_tasks', files, answers, env })
    expect(recordOf('steady').outcome).toBe('right')
    expect(recordOf('hangs')).toMatchObject({ outcome: 'wrong', failure: null })
    const { evidence } = recordOf('hangs')
    if (evidence?.kind !== 'tests') throw new Error('it was not tested')
    expect(evidence.parts[0]!.tests.map(({ end }) => end)).toEqual(['timeout', 'timeout', 'timeout', 'timeout'])
    expect([runs(mark), unfinished(ended!.dir)]).toEqual([false, []])
    expect(recordOf('lacks')).toMatchObject({
      ...{ outcome: 'failed', score: null, evidence: null },
      failure: { at: 'sandbox', reason: 'unavailable', detail: expect.stringMatching(/no working rustc: .* Install rustc on the agent/) },
    })
    expect(ended!.head.benchmarks.code_tasks).toMatchObject({ total: 3, right: 1, wrong: 1, failed: 1 })
    expect(ended!.metrics.code_tasks!.accuracy).toMatchObject({ value: 0.5, n: 2 })
  },
)

const told = (program: string): string => `\`\`\`python\n${program}\n\`\`\``

test('[SCORE241] LiveCodeBench: tests that do not unpickle fail their trial alone; a program that hangs is wrong', inSandbox, async () => {
  const [good, damaged, hangs] = rowsOf('livecodebench/sample.jsonl')
  const tests = String(damaged!.private_test_cases)
  const path = written('lcb.jsonl', [good!, { ...damaged, private_test_cases: tests.slice(0, tests.length / 2) }, hangs!])
  const answers = [
    { item: String(good!.question_id), texts: [told('a = int(input())\nb = int(input())\nprint(a + 3 * b)')] },
    { item: String(damaged!.question_id), texts: [told('class Solution:\n    def combine(self, a, b):\n        return (a - b) * 4')] },
    { item: String(hangs!.question_id), texts: [told('while True:\n    pass')] },
  ]
  const files = [{ role: 'test', path }]
  const { ended, recordOf } = await runGiven({ folder, benchmark: 'livecodebench', files, answers, more: ['--profile', 'builtin'] })
  expect(recordOf(String(good!.question_id)).outcome).toBe('right')
  expect(recordOf(String(hangs!.question_id))).toMatchObject({ outcome: 'wrong', failure: null })
  expect(recordOf(String(damaged!.question_id))).toMatchObject({
    ...{ outcome: 'failed', score: null },
    failure: { at: 'dataset', reason: 'bad-record', detail: expect.stringMatching(/row 1: private_test_cases: /) },
  })
  expect(ended!.head.benchmarks.livecodebench).toMatchObject({ right: 1, wrong: 1, failed: 1 })
  expect(ended!.metrics.livecodebench!.accuracy).toMatchObject({ value: 0.5, n: 2 })
  expect(unfinished(ended!.dir)).toEqual([])
})

test('[SCORE241] SciCode: a package that a problem imports and the sandbox lacks fails the trial and says so', inSandbox, async () => {
  const [first] = rowsOf('scicode/sample.jsonl')
  const files = [
    { role: 'test', path: written('scicode.jsonl', [{ ...first, required_dependencies: 'import numpy as np\nimport no_such_package' }]) },
    { role: 'targets', path: join(benchmarks, 'scicode/sample.targets.jsonl') },
  ]
  const given = { folder, benchmark: 'scicode', files, answers: [{ texts: [told('x = 1'), told('x = 1'), told('x = 1'), told('x = 1')] }] }
  const { ended, recordOf } = await runGiven({ ...given, more: ['--profile', 'builtin'] })
  expect(recordOf('900')).toMatchObject({
    ...{ outcome: 'failed', score: null, evidence: null },
    failure: { at: 'sandbox', reason: 'unavailable', detail: expect.stringContaining('python3-h5py') },
  })
  expect(ended!.metrics.scicode!.accuracy).toMatchObject({ n: 0 })
})

test(
  '[SCORE241] SciCode: targets in a damaged HDF5 file are refused before anything is asked, with what is wrong with it',
  inSandbox,
  async () => {
    await ready
    const path = join(folder, 'targets.h5')
    const file = new File(path, 'w')
    file
      .create_group('900.1')
      .create_group('test1')
      .create_dataset({ name: 'var1', data: new Float64Array(500) })
    file.close()
    const whole = readFileSync(path)
    const at = whole.lastIndexOf('test1')
    writeFileSync(path, Buffer.concat([whole.subarray(0, at - 40), Buffer.alloc(80, 0xaa), whole.subarray(at + 40)]))
    const files = [
      { role: 'test', path: join(benchmarks, 'scicode/sample.jsonl') },
      { role: 'targets', path },
    ]
    const { code, err, ended } = await runGiven({
      folder,
      benchmark: 'scicode',
      files,
      answers: [{ texts: ['x'] }],
      more: ['--profile', 'builtin'],
    })
    expect([code, ended]).toEqual([1, null])
    expect(err).toMatch(/targets\.h5: the group 900\.1 cannot be read \(.+\): the file is damaged/)
  },
)

test(
  '[SCORE241] a data file that was cut short is named with the place, and one of another hash than the pinned is never scored with',
  inSandbox,
  async () => {
    const rows = rowsOf('livecodebench/sample.jsonl').slice(0, 3)
    const cut = written('cut.jsonl', rows, 300)
    const given = { folder, benchmark: 'livecodebench', answers: [{ texts: ['x'] }], more: ['--profile', 'builtin'] }
    const refused = await runGiven({ ...given, files: [{ role: 'test', path: cut }] })
    expect([refused.code, refused.ended, refused.err]).toEqual([1, null, expect.stringContaining('cut.jsonl line 3: no JSON')])
    const mirror = join(folder, 'mirror')
    const place = join(mirror, 'livecodebench/code_generation_lite')
    mkdirSync(place, { recursive: true })
    cpSync(cut, join(place, 'test.jsonl'))
    const { code, ended } = await runGiven({ ...given, env: { BENCH_DATA_DIR: mirror } })
    expect([code, ended!.head.status, ended!.head.done, ended!.bundle]).toEqual([1, 'paused', 0, null])
    expect(ended!.head.parked).toMatchObject({ reason: expect.stringMatching(/^dataset\//), detail: expect.stringContaining('test.jsonl') })
  },
)
