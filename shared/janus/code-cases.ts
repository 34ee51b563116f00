import * as z from 'zod'
import type { CodeRun } from '../contract/evidence/exchange.ts'
import type { Outcome } from '../contract/failure.ts'
import { pySpace, strip } from '../python/text.ts'
import { requireTool, sandboxLost } from '../solvers/in-sandbox.ts'
import type { Sandbox } from '../solvers/sandbox.ts'
import { caseRunner } from './case-runner.ts'
import type { Version } from './score/phrases.ts'

export const CodeCases = z.object({
  function_name: z.string(),
  test_cases: z.array(z.object({ input: z.array(z.json()), output: z.json() })),
})
export type CodeCases = z.infer<typeof CodeCases>

const block = new RegExp(`\`\`\`(?:python)?[${pySpace}]*([^]*?)\`\`\``, 'iu')
/** For all cases of an item. */
const timeoutMs = 20_000

/** The code of an answer: its first fenced block, or all of it. */
export const programOf = (text: string): string => strip(block.exec(text)?.[1] ?? text)

/** A value as the runner writes it: numbers with their kind, lists and objects of such values; what JSON does not know has no value. */
type Told = ['n'] | ['b', boolean] | ['i', string] | ['f', string] | ['s', string] | ['l', Told[]] | ['d', [string, Told][]] | ['o']
const Line = z.object({ nonce: z.string(), index: z.int(), ok: z.boolean(), value: z.unknown() })

/**
 * Runs a program's function on the inputs of an item in a sandbox and compares what it gives outside of it, so that no expected value is where the program
 * is. `v1` runs it as the official evaluator does: with twenty built-in functions and names that functions do not see from within; `v2` runs plain Python.
 */
export async function runCases(
  box: Sandbox,
  text: string,
  { function_name, test_cases }: CodeCases,
  version: Version,
  nonce: string,
  timeout_ms = timeoutMs,
): Promise<Outcome<CodeRun>> {
  const program = programOf(text)
  const none = { program, cases: test_cases.map(() => false), output: '' }
  if (program === '') return { ok: true, value: { ...none, end: 'error' } }
  const input = { program, function_name, inputs: test_cases.map((one) => one.input), narrow: version === 'v1', nonce }
  const { end, exit_code, stdout, stderr } = await box.exec({
    argv: ['python3', '-I', '-B', '-X', 'utf8', '-c', caseRunner],
    stdin: new TextEncoder().encode(JSON.stringify(input)),
    timeout_ms,
    output_bytes: 1_000_000,
  })
  if (end === 'unavailable') return sandboxLost('The sandbox went away while the program ran.')
  const told = linesOf(new TextDecoder().decode(stdout), nonce)
  if (told === null && end === 'exited' && exit_code !== 0) {
    const python = await requireTool(box, ['python3', '--version'], 'Python 3')
    if (!python.ok) return python
  }
  const cases = test_cases.map(({ output }, index) => {
    const line = told?.get(index)
    return line?.ok === true && same(output, line.value as Told, version)
  })
  const output = new TextDecoder().decode(stderr).slice(0, 4000)
  return { ok: true, value: { program, end: end !== 'exited' ? end : cases.every(Boolean) ? 'passed' : 'failed', cases, output } }
}

/** What the runner said of each case, the first line of each; null where it said nothing. */
function linesOf(stdout: string, nonce: string): Map<number, z.infer<typeof Line>> | null {
  const found = new Map<number, z.infer<typeof Line>>()
  for (const text of stdout.split('\n')) {
    if (!text.startsWith('{')) continue
    try {
      const line = Line.safeParse(JSON.parse(text))
      if (line.success && line.data.nonce === nonce && !found.has(line.data.index)) found.set(line.data.index, line.data)
    } catch {
      // The program wrote it, not the runner.
    }
  }
  return found.size === 0 ? null : found
}

/** Python's `==` of an expected JSON value and what came out; a fraction within a millionth, `v2` any float so. */
export function same(wanted: z.core.util.JSONType, told: Told, version: Version): boolean {
  const [kind, value] = told
  if (wanted === null) return kind === 'n'
  if (typeof wanted === 'string') return kind === 's' && value === wanted
  if (typeof wanted === 'number' || typeof wanted === 'boolean') {
    if (kind !== 'b' && kind !== 'i' && kind !== 'f') return false
    const [one, other] = [Number(wanted), Number(value)]
    const near = typeof wanted === 'number' && (!Number.isInteger(wanted) || (version === 'v2' && kind === 'f'))
    return near ? Math.abs(other - one) < 1e-6 : one === other
  }
  if (Array.isArray(wanted))
    return kind === 'l' && value.length === wanted.length && wanted.every((one, index) => same(one, (value as Told[])[index]!, version))
  if (kind !== 'd') return false
  const given = new Map(value as [string, Told][])
  const names = Object.keys(wanted)
  return given.size === names.length && names.every((name) => given.has(name) && same(wanted[name]!, given.get(name)!, version))
}
