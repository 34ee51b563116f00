import { mostToolResult } from '../contract/evidence/exchange.ts'
import type { Outcome } from '../contract/failure.ts'
import { requireTool, sandboxLost } from '../solvers/in-sandbox.ts'
import type { Sandbox } from '../solvers/sandbox.ts'
import { givenArguments, type ToolAnswer } from './tool-simulator.ts'

/** Answers `code_execute`: Python in the sandbox, its output as JSON. Other languages are refused in words. */
export async function executeCode(box: Sandbox, given: string): Promise<Outcome<ToolAnswer>> {
  const { code, language = 'python' } = givenArguments(given) ?? {}
  if (typeof code !== 'string') return refused('The arguments hold no code.')
  if (typeof language !== 'string' || !/^python3?$/i.test(language)) return refused('Only Python is run here.')
  const ran = await box.exec({
    argv: ['python3', '-I', '-B', '-X', 'utf8', '-'],
    stdin: new TextEncoder().encode(code),
    timeout_ms: 10_000,
    output_bytes: 100_000,
  })
  if (ran.end === 'unavailable') return sandboxLost('The sandbox went away while code ran.')
  if (ran.end === 'denied' || ran.exit_code === 127) {
    const python = await requireTool(box, ['python3', '--version'], 'Python 3')
    if (!python.ok) return python
  }
  const [output, errors] = [ran.stdout, ran.stderr].map((bytes) => new TextDecoder().decode(bytes).slice(0, mostToolResult / 4))
  const ended = ran.end === 'exited' ? { exit_code: ran.exit_code } : { ended: ran.end }
  return {
    ok: true,
    value: { result: JSON.stringify({ output, errors, ...ended }), is_error: ran.end !== 'exited' || ran.exit_code !== 0 },
  }
}

const refused = (result: string): Outcome<ToolAnswer> => ({ ok: true, value: { result, is_error: true } })
