import type { Failure, Outcome } from '../contract/failure.ts'
import type { Sandbox } from './sandbox.ts'

type Lost = { ok: false; failure: Failure }

/** The failure of a trial whose sandbox is there no more or lacks something: another attempt, on another agent maybe, may succeed. */
export function sandboxLost(detail: string): Lost {
  return { ok: false, failure: { at: 'sandbox', reason: 'unavailable', retryable: true, status: null, detail } }
}

/** How long a program may take to tell its version; some of them warm up first. */
const versionMs = 20_000

/**
 * The first line that a program says of its version, so that results name what they came from. A sandbox without it is a failure that says which
 * `packages` bring it: nothing is scored for a tool that is missing.
 */
export async function requireTool(box: Sandbox, argv: readonly [string, ...string[]], packages: string): Promise<Outcome<string>> {
  const { end, exit_code, stdout, stderr } = await box.exec({ argv, timeout_ms: versionMs, output_bytes: 10_000 })
  if (end === 'exited' && exit_code === 0) return { ok: true, value: firstLine(stdout) || firstLine(stderr) }
  const how = end === 'exited' ? `ended with exit code ${exit_code}` : end === 'denied' ? 'is not there' : `ended as ${end}`
  return sandboxLost(
    `This agent's sandbox has no working ${argv[0]}: ${argv.join(' ')} ${how}. Install ${packages} on the agent or in its image.`,
  )
}

const firstLine = (bytes: Uint8Array): string => new TextDecoder().decode(bytes).trim().split('\n')[0]!.slice(0, 200)
