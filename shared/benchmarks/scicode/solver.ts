import type { TestedPart, TestsEvidence } from '../../contract/evidence/tests.ts'
import type { Outcome } from '../../contract/failure.ts'
import type { Kit, Solver } from '../../solvers/kit.ts'
import type { SandboxSpec } from '../../solvers/sandbox.ts'
import { findPython } from './find-python.ts'
import { Problem } from './problem.ts'
import { stepFile } from './step-prompt.ts'
import { exitTest, testStep } from './test-step.ts'
import { writeSteps } from './write-steps.ts'

/** What the task hides: the test cases of a step, and its targets as a file for our Python package, read when they are asked for. */
export type HiddenSteps = { cases(step: string): readonly string[]; targets(step: string): Promise<Outcome<Uint8Array>> }

/** How a profile asks and tests. */
export type Way = { template: string; limit_ms: number; sandbox: SandboxSpec }

/**
 * Has every step written, then opens a sandbox and tests the steps that count, one after the other. The sandbox comes when the model is done: it holds no
 * room while a model thinks, and no target can be seen while anything is still to be written.
 */
export const solveProblem =
  (way: Way): Solver<'tests'> =>
  async (item, kit) => {
    const problem = Problem.parse(item.metadata)
    const written = await writeSteps(problem, kit, way.template)
    if (!written.ok) return written
    const { codes, answer } = written.value
    const parts = codes.length === 0 ? { ok: true as const, value: [] } : await testSteps(problem, codes, kit, way)
    if (!parts.ok) return parts
    const evidence: TestsEvidence = { kind: 'tests', ...answer, parts: [...parts.value, ...unwritten(problem, codes.length)] }
    return { ok: true, value: evidence }
  }

async function testSteps(problem: Problem, codes: readonly string[], kit: Kit, way: Way): Promise<Outcome<TestedPart[]>> {
  const box = await kit.sandbox(way.sandbox)
  if (!box.ok) return box
  const found = await findPython(box.value, problem.dependencies)
  if (!found.ok) return found
  kit.transcript.note(`Tested with ${found.value.versions}.`)
  const hidden = await kit.hidden()
  if (!hidden.ok) return hidden
  const steps = hidden.value as HiddenSteps // the task's own, see there
  const means = { python: found.value.python, nonce: kit.seed().toString(36), limit_ms: way.limit_ms, now: kit.now }
  const parts: TestedPart[] = []
  for (const [index, code] of codes.entries()) {
    const { number, tested } = problem.steps[index]!
    if (!tested) continue
    kit.progress(`tests step ${number}`)
    const targets = await steps.targets(number)
    if (!targets.ok) return targets
    const file = stepFile(problem.dependencies, codes.slice(0, index), code)
    const part = await testStep(box.value, { number, file, code, cases: steps.cases(number), targets: targets.value }, means)
    if (!part.ok) return part
    parts.push(part.value)
  }
  return { ok: true, value: parts }
}

/** Steps that were never written, since a limit came before; they count as not passed. */
function unwritten({ steps }: Problem, written: number): TestedPart[] {
  const rest = steps.slice(written).filter(({ tested }) => tested)
  return rest.map(({ number, cases }) => {
    const names = [...Array.from({ length: cases }, (_, index) => `test ${index + 1}`), exitTest]
    const tests = names.map((name) => ({ name, end: 'not-run' as const, took_ms: null }))
    const nothing = { program: null, patch: null, build: null, output: '', took_ms: 0, memory_mb: null }
    return { name: number, language: 'python' as const, ...nothing, total: tests.length, tests }
  })
}
