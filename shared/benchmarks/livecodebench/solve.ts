import { sha256Hex } from '#sha256'
import type { EvidenceOf } from '../../contract/evidence/evidence.ts'
import { answeredEvidence } from '../../solvers/generate.ts'
import type { Solver } from '../../solvers/kit.ts'
import { extractProgram } from './extract-program.ts'
import { HiddenTests } from './hidden-tests.ts'
import { lcbSandbox } from './lcb-sandbox.ts'
import { runProgram } from './run-program.ts'
import { verdictOf } from './verdict.ts'

/**
 * One answer, then its program against all tests in a sandbox without network. The tests are decoded when the model is done, and what is expected of
 * them never enters the sandbox. An answer without a program runs as the empty one, which fails.
 */
export const solveLcb: Solver<'tests'> = async (item, kit) => {
  const answered = answeredEvidence(await kit.ask('model', { messages: item.messages }))
  if (!answered.ok) return answered
  const completion = answered.value
  const program = extractProgram(completion.scoring_input ?? completion.text)
  const found = await kit.hidden()
  if (!found.ok) return found
  const hidden = HiddenTests.parse(found.value)
  const total = hidden.inputs.length
  const part = { name: '', language: 'python' as const, patch: null, build: null, total, memory_mb: null }
  const evidence = (rest: Pick<EvidenceOf<'tests'>['parts'][0], 'program' | 'tests' | 'output' | 'took_ms'>) => ({
    ok: true as const,
    value: { ...completion, kind: 'tests' as const, parts: [{ ...part, ...rest }] },
  })
  if (program.trim() === '') {
    const message = '-4: the answer holds no program'
    const tests = [{ name: 'test 1', end: 'error' as const, message, took_ms: null }]
    return evidence({ program: null, tests, output: resultText([-4]), took_ms: 0 })
  }
  kit.progress(`testing the program with ${total} inputs`)
  const box = await kit.sandbox(lcbSandbox)
  if (!box.ok) return box
  const began = kit.now()
  const ran = await runProgram(box.value, hidden, { program, nonce: nonceOf(hidden) })
  if (!ran.ok) return ran
  const { codes, tests } = verdictOf(ran.value, hidden)
  const [ready] = ran.value.frames
  const python = ready?.type === 'ready' ? `Python ${ready.python}; ` : ''
  return evidence({ program, tests, output: `${python}${resultText(codes)}`, took_ms: kit.now() - began })
}

/** The official result list, as Python writes it. */
function resultText(codes: readonly (boolean | number)[]): string {
  const words = codes.map((code) => (code === true ? 'True' : code === false ? 'False' : String(code)))
  return `official result: [${words.join(', ')}]`
}

/** Marks the runner's words: made of what is expected, which no program in the sandbox knows. */
const nonceOf = ({ outputs }: HiddenTests): string => sha256Hex(JSON.stringify(outputs.map((output) => output.slice(0, 1000))))
