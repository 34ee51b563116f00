import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { isAlive } from '../chaos/processes.ts'
import { runLimited } from './run-limited.ts'
import { stepTable } from './step-table.ts'
import { countStep } from './tally.ts'
import { timesTables } from './times.ts'
import { unitLane } from './unit-lanes.ts'

const root = resolve(import.meta.dirname, '..', '..')
const dir = mkdtempSync(join(tmpdir(), 'bench-checks-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))
const linux = process.platform === 'linux'
const waits = `setInterval(() => {}, 1000)`

/** A program that starts one in a group of its own which heeds no SIGTERM, writes its id to `file`, and then does `then`. */
const parent = (file: string, then: string) => `
  const { spawn } = require('node:child_process')
  const child = spawn(process.execPath, ['-e', "process.on('SIGTERM', () => {}); require('node:fs').writeFileSync(process.argv[1], String(process.pid)); ${waits}", ${JSON.stringify(file)}], { detached: true, stdio: 'ignore' })
  child.unref()
  const ready = setInterval(() => {
    if (!require('node:fs').existsSync(${JSON.stringify(file)})) return
    clearInterval(ready)
    ${then}
  }, 10)`

/** The process id that `file` holds as soon as it does. */
const pidIn = (file: string) =>
  vi.waitFor(
    () => {
      const pid = Number(readFileSync(file, 'utf8'))
      if (!pid) throw new Error('not written yet')
      return pid
    },
    { timeout: 50_000 },
  )

describe.runIf(linux)('on Linux', () => {
  test('[CHECK1] a step that is stopped has failed and is ended with all it started, also what left its group and heeds no signal', async () => {
    const file = join(dir, 'stopped')
    const stop = new AbortController()
    const step = runLimited({ args: ['-e', parent(file, waits)], cwd: dir, limitMs: 60_000, graceMs: 100, signal: stop.signal })
    const pid = await pidIn(file)
    expect(isAlive(pid)).toBe(true)
    stop.abort()
    expect(await step).toBe('was ended')
    expect(isAlive(pid)).toBe(false)
  })

  test('[CHECK1] what a step leaves behind, without a parent, is ended; the step has passed; other processes live on', async () => {
    const file = join(dir, 'left')
    const other = spawn(process.execPath, ['-e', waits])
    expect(await runLimited({ args: ['-e', parent(file, 'process.exit(0)')], cwd: dir, limitMs: 60_000, graceMs: 100 })).toBeNull()
    expect(isAlive(await pidIn(file))).toBe(false)
    expect(isAlive(other.pid!)).toBe(true)
    other.kill()
    await once(other, 'exit')
  })
})

test('[CHECK1] a step that takes longer than its limit has failed', async () => {
  expect(await runLimited({ args: ['-e', waits], cwd: dir, limitMs: 100 })).toBe('took longer than 0.1 s and was ended')
})

test('[CHECK2] a step says how it failed: by its exit code or by a signal', async () => {
  const end = (how: string) => runLimited({ args: ['-e', how], cwd: dir, limitMs: 60_000 })
  expect(await end('process.exit(3)')).toBe('exit code 3')
  expect(await end(`process.kill(process.pid, 'SIGKILL')`)).toBe('ended by SIGKILL')
  expect(await end('')).toBeNull()
})

const counted = (tally: unknown, failure: string | null) => {
  const path = join(dir, 'tally.json')
  writeFileSync(path, JSON.stringify(tally))
  return countStep(path, failure)
}

test('[CHECK3] counts of tests that were cut stay, the step has failed, and the files it was in are named', () => {
  const cut = { passed: 7, failed: 0, red: [], skipped: [], running: ['a.test.ts', 'b.test.ts'], files: [], ended: false }
  expect(counted(cut, 'took longer than 5 s and was ended')).toEqual({
    passed: 7,
    failed: 1,
    red: [],
    skipped: [],
    files: [],
    failure: 'took longer than 5 s and was ended while it was in a.test.ts, b.test.ts',
  })
  expect(counted(cut, null)).toMatchObject({ failed: 1, failure: 'the tests did not end while it was in a.test.ts, b.test.ts' })
})

test('[CHECK3] the reporter keeps what differed in a failed assertion, and an error that no test threw', async () => {
  const path = join(dir, 'reported.json')
  const assertion = { message: 'expected 1 to be 2', diff: '\u001b[32m- 2\u001b[39m\n+ 1' }
  const test = { fullName: 'adds', result: () => ({ state: 'failed', errors: [assertion] }) }
  const module = { relativeModuleId: 'sum.test.ts', errors: () => [], diagnostic: () => ({}), children: { allTests: () => [test] } }
  vi.stubEnv('BENCH_TALLY', path)
  const { default: Reporter } = await import(join(root, 'tally-reporter.mjs'))
  new Reporter().onTestRunEnd([module], [{ type: 'Uncaught Exception', message: 'late' }])
  vi.unstubAllEnvs()
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
    failed: 2,
    red: [
      { file: 'no test', title: 'Uncaught Exception', note: 'late' },
      { file: 'sum.test.ts', title: 'adds', note: 'expected 1 to be 2\n- 2\n+ 1' },
    ],
  })
})

test('[CHECK3] whole counts stand as they are; a failure that no test explains counts as one', () => {
  const red = [{ file: 'b', title: 'u', note: 'expected 1 to be 2' }]
  const whole = { passed: 7, failed: 2, red, skipped: [{ file: 'a', title: 't', note: null }], running: [], files: [], ended: true }
  expect(counted(whole, 'exit code 1')).toMatchObject({ passed: 7, failed: 2, red, failure: 'exit code 1' })
  expect(counted({ ...whole, failed: 0 }, 'exit code 1')).toMatchObject({ failed: 1 })
  expect(counted({ ...whole, failed: 0 }, null)).toMatchObject({ passed: 7, failed: 0, failure: null, skipped: [{ title: 't' }] })
  expect(countStep(join(dir, 'none.json'), null)).toEqual({
    passed: 0,
    failed: 1,
    red: [],
    skipped: [],
    files: [],
    failure: 'no counts were written',
  })
})

test('[CHECK4] the table has a line for every step with its time and counts, their sum, and the time of all, which overlap', () => {
  const build = { name: 'build', seconds: 12.34, passed: 1, failed: 0, skipped: 0, failure: null }
  const unit = { name: 'unit tests', seconds: 100, passed: 1200, failed: 1, skipped: 3, failure: 'exit code 1' }
  expect(stepTable([build, unit], 101.5).split('\n')).toEqual([
    'step        seconds  passed  failed  skipped',
    'build          12.3       1       0        0',
    'unit tests    100.0    1200       1        3  exit code 1',
    'all           101.5    1201       1        3',
  ])
})

test('[CHECK450] every unit test is in one lane of `npm test`, and every pattern of the lane that waits fits a file', () => {
  const files = (lane?: string): string[] => {
    const { include, exclude } = unitLane(lane)
    return globSync(include, { cwd: root, exclude }).sort()
  }
  const [all, quick, waiting] = [files(), files('quick'), files('waiting')]
  expect([...quick, ...waiting].sort()).toEqual(all)
  for (const pattern of unitLane('waiting').include) expect(globSync(pattern, { cwd: root }), pattern).not.toEqual([])
})

test('[CHECK450] every line of a step that overlaps with others is handed over, the last one too', async () => {
  const lines: string[] = []
  const args = ['-e', `process.stdout.write('one\\ntwo'); process.stderr.write('three\\n')`]
  expect(await runLimited({ args, cwd: dir, limitMs: 60_000, onLine: (line) => lines.push(line) })).toBeNull()
  expect(lines.sort()).toEqual(['one', 'three', 'two'])
})

test('[CHECK451] the tables of times sum the start-up of a step by kind and name the slowest files first', () => {
  const file = (name: string, tests: number) => ({ file: name, tests, import: 500, transform: 100, setup: 0, environment: 0, worker: 400 })
  const steps = [
    { name: 'style', files: [] },
    { name: 'unit tests', files: [file('a.test.ts', 1000), file('b.test.ts', 9000), file('c.test.ts', 200)] },
  ]
  expect(timesTables(steps, 2).split('\n')).toEqual([
    'seconds by step, summed over its files',
    '     tests    import transform     setup   environ    worker  files  step',
    '      10.2       1.5       0.3       0.0       0.0       1.2      3  unit tests',
    '',
    'slowest 2 files: seconds, in tests, start-up',
    '   10.0      9.0      1.0  b.test.ts (unit tests)',
    '    2.0      1.0      1.0  a.test.ts (unit tests)',
  ])
})
