import type { TestEnd, TestedPart, TestResult } from '../../contract/evidence/tests.ts'
import { mostExcerpt } from '../../contract/evidence/tests.ts'
import type { Outcome } from '../../contract/failure.ts'
import { sandboxLost } from '../../solvers/in-sandbox.ts'
import type { ExecResult, Sandbox } from '../../solvers/sandbox.ts'
import { pythonPackage } from './python-package.ts'
import { markDescriptor, markWith, testScript, testsReached } from './test-script.ts'

/** The last line of a step's tests: the process itself, whose exit status is all that the official verdict goes by. */
export const exitTest = 'exit status 0'

const mostOutput = 20_000
const workspace = '/workspace'

/** Where things lie for one step. What an earlier program left in any place it can write to is gone before. */
const places = { package: 'package', script: 'step/script.py', targets: 'step/targets', marks: 'step/marks' }

/** Debian keeps Matplotlib's settings in `/etc`, which a sandbox need not show; without any it has its own. */
export const plotSettings = { MATPLOTLIBRC: '/dev/null', MPLCONFIGDIR: '/tmp', MPLBACKEND: 'Agg' }

const environment = {
  ...plotSettings,
  PYTHONPATH: `${workspace}/${places.package}`,
  PYTHONNOUSERSITE: '1',
  PYTHONDONTWRITEBYTECODE: '1',
  OMP_NUM_THREADS: '1',
  OPENBLAS_NUM_THREADS: '1',
}

export type StepToTest = { number: string; file: string; code: string; cases: readonly string[]; targets: Uint8Array }
export type TestMeans = { python: string; nonce: string; limit_ms: number; now: () => number }

/**
 * Runs the script of one step in an emptied sandbox that holds the targets of this step alone. Fails as `sandbox` when the sandbox does not do its part.
 */
export async function testStep(box: Sandbox, step: StepToTest, means: TestMeans): Promise<Outcome<TestedPart>> {
  const ready = await prepare(box, step, means.nonce)
  if (!ready.ok) return ready
  const began = means.now()
  const result = await box.exec({
    argv: ['sh', '-c', `exec "$0" script.py ${markDescriptor}>marks`, means.python],
    cwd: 'step',
    env: environment,
    timeout_ms: means.limit_ms,
    output_bytes: 64 * 2 ** 20,
  })
  const took_ms = Math.max(0, means.now() - began)
  if (result.end === 'unavailable') return sandboxLost(`The sandbox was gone while step ${step.number} was tested.`)
  const marks = new TextDecoder().decode((await box.read(places.marks, 100_000)) ?? new Uint8Array())
  const reached = testsReached(marks, means.nonce)
  const part = { name: step.number, language: 'python', program: step.code, patch: null, build: null, memory_mb: null } as const
  const tests = [...caseResults(step.cases.length, reached, result), exitResult(result, took_ms)]
  return { ok: true, value: { ...part, total: tests.length, tests, output: outputOf(result), took_ms } }
}

async function prepare(box: Sandbox, step: StepToTest, nonce: string): Promise<Outcome<null>> {
  const empty = 'find /workspace /tmp /dev/shm -mindepth 1 -delete 2>/dev/null; test -z "$(ls -A /workspace)"'
  const emptied = await box.exec({ argv: ['sh', '-c', empty], timeout_ms: 60_000, output_bytes: 100_000 })
  if (emptied.end !== 'exited' || emptied.exit_code !== 0)
    return sandboxLost(`The sandbox could not be emptied before step ${step.number} (${emptied.end}).`)
  const { file, number, cases } = step
  const script = testScript({ file, step: number, cases, targets: `${workspace}/${places.targets}`, mark: markWith(nonce) })
  const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
  const files: [string, Uint8Array][] = [
    ...Object.entries(pythonPackage).map(([path, text]): [string, Uint8Array] => [`${places.package}/${path}`, encode(text)]),
    [places.script, encode(script)],
    [places.targets, step.targets],
  ]
  for (const [path, bytes] of files) {
    const written = await box.write(path, bytes)
    if (written !== 'written')
      return sandboxLost(`${path} of step ${number} (${bytes.length} bytes) was not written into the sandbox: ${written}.`)
  }
  return { ok: true, value: null }
}

/** Every test case: those left behind passed, the one in which the script ended has its end, the others never ran. */
function caseResults(count: number, reached: number, result: ExecResult): TestResult[] {
  const stopped = passed(result) ? -1 : Math.max(0, reached)
  return Array.from({ length: count }, (_, index) => {
    const name = `test ${index + 1}`
    if (index < reached) return { name, end: 'passed', took_ms: null }
    if (index > stopped || stopped < 0) return { name, end: 'not-run', took_ms: null }
    const where = reached < 0 ? 'Before the first test case:\n' : ''
    return { name, end: endOf(result), message: (where + tail(result.stderr, mostExcerpt - where.length)).trim() || null, took_ms: null }
  })
}

function exitResult(result: ExecResult, took_ms: number): TestResult {
  if (passed(result)) return { name: exitTest, end: 'passed', took_ms }
  const got = result.exit_code === null ? result.end : `exit status ${result.exit_code}`
  return { name: exitTest, end: result.end === 'exited' ? 'failed' : endOf(result), expected: exitTest, got, took_ms }
}

const passed = ({ end, exit_code }: ExecResult): boolean => end === 'exited' && exit_code === 0

/** An assertion that does not hold is a wrong answer, everything else that Python raises a broken program. */
function endOf({ end, stderr }: ExecResult): TestEnd {
  if (end === 'unavailable') return 'not-run'
  if (end !== 'exited') return end
  return tail(stderr, 5000).trimEnd().split('\n').at(-1)?.startsWith('AssertionError') ? 'failed' : 'error'
}

/** The end of what was written to a channel. */
function tail(bytes: Uint8Array, chars: number): string {
  const text = new TextDecoder().decode(bytes.subarray(Math.max(0, bytes.length - 4 * chars)))
  return text.slice(Math.max(0, text.length - chars))
}

function outputOf({ stdout, stderr }: ExecResult): string {
  const parts = [stdout, stderr].filter((bytes) => bytes.length > 0)
  return parts.map((bytes) => tail(bytes, mostOutput / 2 - 1)).join('\n')
}
