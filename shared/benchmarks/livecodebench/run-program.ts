import type { Outcome } from '../../contract/failure.ts'
import { requireTool, sandboxLost } from '../../solvers/in-sandbox.ts'
import type { ExecResult, Sandbox } from '../../solvers/sandbox.ts'
import { type Frame, framesOf } from './frames.ts'
import type { HiddenTests } from './hidden-tests.ts'
import { runner } from './runner.ts'

/** Seconds that the official run gives a test. */
export const testSeconds = 6
/** Milliseconds beyond the official limit of a whole program, in which the interpreter starts and reads its input. */
const startMs = 3_000
/** What a program may write over all tests, in bytes, beyond eight times what is expected of it. */
const mostOutput = 64 * 2 ** 20

/** What a program was seen to do: what the runner said, in order, and how its process ended. */
export type ProgramRun = { frames: Frame[]; end: ExecResult['end']; exit_code: number | null }

/**
 * Runs a program on all inputs in one process of a sandbox. The sandbox is given no expected output. Fails at the sandbox where the runner itself
 * could not begin: then nothing is known of the program. `nonce` marks the runner's words and must be hard to guess.
 */
export async function runProgram(
  box: Sandbox,
  { inputs, outputs, fn_name }: HiddenTests,
  { program, nonce, seconds = testSeconds }: { program: string; nonce: string; seconds?: number },
): Promise<Outcome<ProgramRun>> {
  const expected = outputs.reduce((sum, output) => sum + output.length, 0)
  const { end, exit_code, stdout } = await box.exec({
    argv: ['python3', '-I', '-B', '-X', 'utf8', '-c', runner],
    stdin: new TextEncoder().encode(JSON.stringify({ nonce, program, fn_name, inputs, seconds })),
    timeout_ms: ((seconds + 1) * inputs.length + 5) * 1000 + startMs,
    output_bytes: mostOutput + 8 * expected,
  })
  if (end === 'unavailable') return sandboxLost('The sandbox went away while the program ran.')
  const frames = framesOf(stdout, nonce)
  if (frames[0]?.type === 'ready') return { ok: true, value: { frames, end, exit_code } }
  const python = await requireTool(box, ['python3', '-c', 'import sys; sys.exit(sys.version_info < (3, 10))'], 'Python 3.10 or later')
  return python.ok ? sandboxLost(`Python did not begin in the sandbox: ${end}, exit code ${exit_code}.`) : python
}
