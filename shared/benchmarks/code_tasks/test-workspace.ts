import type { TestEnd, TestResult } from '../../contract/evidence/tests.ts'
import type { Outcome } from '../../contract/failure.ts'
import { sandboxLost } from '../../solvers/in-sandbox.ts'
import type { ExecResult, Sandbox } from '../../solvers/sandbox.ts'
import type { Files, HiddenTask } from './catalogue-task.ts'
import { dependencyEnv, dependencyText, installDependencies } from './dependencies.ts'
import { caseResults, observationsIn } from './observations.ts'
import { findToolchain } from './toolchains.ts'

/** What came of a workspace: how its build went, each case of its probes, and all that was written, command by command. */
export type Tested = {
  /** What the probes ran with, as it says itself: the compiler or interpreter, or the browser. */
  toolchain: string
  build: { ok: boolean; output: string } | null
  total: number
  tests: TestResult[]
  stdout: string
  stderr: string
  took_ms: number
}

/** Output of one command; a probe that computes much says it in few words. */
const mostOutput = 4 * 1024 ** 2
/** Bytes of each channel of a command that are kept to be looked at. */
const mostLogged = 256 * 1024
const folder = 'work'

export type Testing = { box: Sandbox; now(): number; progress?: ((text: string) => void) | undefined }

/**
 * Builds a workspace and runs its probes in a fresh sandbox. What they have to print stays out here. Whatever the code does is a result; only a sandbox
 * that is lost or lacks the toolchain is a failure.
 */
export async function testWorkspace(
  task: HiddenTask,
  files: Files,
  { box, now, progress = () => undefined }: Testing,
): Promise<Outcome<Tested>> {
  const toolchain = await findToolchain(box, task)
  if (!toolchain.ok) return toolchain
  const { browser } = toolchain.value
  const { dependencies } = task
  if (dependencies) {
    const installed = await installDependencies(box, dependencies, { now, progress })
    if (!installed.ok) return installed
  }
  const testedWith = dependencies
    ? `${toolchain.value.said}, with a network; installed: ${dependencyText(dependencies)}`
    : toolchain.value.said
  const env = dependencyEnv(dependencies)
  const began = now()
  const total = Object.values(task.expected).reduce((sum, cases) => sum + Object.keys(cases).length, 0)
  const written: string[] = []
  const said: string[] = []
  const tested = (build: Tested['build'], tests: TestResult[]): Outcome<Tested> => {
    const texts = { stdout: written.join(''), stderr: said.join('') }
    return { ok: true, value: { toolchain: testedWith, build, total, tests, ...texts, took_ms: now() - began } }
  }
  const put = await putFiles(box, files, task.tests)
  if (put === 'unavailable') return sandboxLost('The sandbox was gone before the files were in it.')
  if (put !== 'written') return tested({ ok: false, output: `The files could not be written: ${put}.` }, [])

  const run = async (label: string, argv: readonly [string, ...string[]], stdin?: string): Promise<ExecResult> => {
    progress(label)
    const timeout_ms = task.timeout_seconds * 1000 - (now() - began)
    const nothing = { stdout: new Uint8Array(), stderr: new Uint8Array() }
    if (timeout_ms <= 0) return { end: 'timeout', exit_code: null, ...nothing }
    const done = await box.exec({
      argv,
      cwd: folder,
      env,
      timeout_ms,
      output_bytes: mostOutput,
      ...(stdin !== undefined && { stdin: bytesOf(stdin) }),
    })
    written.push(section(label, done.stdout))
    said.push(section(label, done.stderr))
    return done
  }

  let build = null as Tested['build']
  for (const argv of task.build) {
    const done = await run(`build: ${argv.join(' ')}`, argv)
    if (done.end === 'unavailable') return sandboxLost('The sandbox was gone while the workspace was built.')
    const ok = done.end === 'exited' && done.exit_code === 0
    const how = ok ? '' : `${argv.join(' ')} ended ${done.end === 'exited' ? `with exit code ${done.exit_code}` : `as ${done.end}`}.\n`
    build = { ok, output: `${build?.output ?? ''}${how}${textOf(done.stdout)}${textOf(done.stderr)}` }
    if (!ok) return tested(build, [])
  }
  const tests: TestResult[] = []
  for (const { name, command, stdin } of task.probes) {
    const { end, exit_code, stdout, stderr } = await run(`probe: ${name}`, browser === null ? command : [...command, browser], stdin)
    if (end === 'unavailable') return sandboxLost('The sandbox was gone while the probes ran.')
    tests.push(...caseResults(name, task.expected[name] ?? {}, observationsIn(textOf(stdout)), { end, exit_code, stderr: textOf(stderr) }))
  }
  return tested(build, tests)
}

/** Workspace and probes side by side; what stands in the way of the first file that cannot be written. */
async function putFiles(
  box: Sandbox,
  files: Files,
  tests: Files,
): Promise<Extract<TestEnd, 'disk-full' | 'denied'> | 'unavailable' | 'written'> {
  const all = [
    ...Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]),
    ...Object.entries(tests).map(([path, text]) => [`tests/${path}`, text]),
  ]
  for (const [path, text] of all as [string, string][]) {
    const end = await box.write(path, bytesOf(text))
    if (end !== 'written') return end
  }
  return 'written'
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/** What a command wrote under its label: its beginning and end where it is long. */
function section(label: string, bytes: Uint8Array): string {
  if (bytes.length === 0) return ''
  const [half, beyond] = [mostLogged / 2, bytes.length - mostLogged]
  const text =
    beyond <= 0 ? textOf(bytes) : `${textOf(bytes.subarray(0, half))}\n[${beyond} bytes left out]\n${textOf(bytes.subarray(-half))}`
  return `=== ${label}\n${text}${text.endsWith('\n') ? '' : '\n'}`
}
