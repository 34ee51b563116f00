import type { TestedPart, TestsEvidence } from '../../contract/evidence/tests.ts'
import type { ItemFacts, Score } from '../../contract/item.ts'
import { Problem, testedSteps } from './problem.ts'
import { exitTest } from './test-step.ts'

/** The official verdict: the script ended with status 0. Which of its test cases it ran is not asked. */
const stepPassed = (part: TestedPart | undefined): boolean =>
  part?.tests.some(({ name, end }) => name === exitTest && end === 'passed') === true

/** The script ended with status 0 before all of its test cases had run. */
const endedEarly = (part: TestedPart | undefined): boolean => stepPassed(part) && part!.tests.some(({ end }) => end !== 'passed')

const sentence: Record<'early_exit' | 'missing_program', string> = {
  early_exit: 'Ended before all tests had run, which passes officially',
  missing_program: 'Without a program',
}

/** Right when every tested step passed (reference 2.6). `detail.steps` has each of them for the share of steps; none is left out for an empty reply. */
export function scoreSteps(item: ItemFacts, evidence: TestsEvidence): Score {
  const problem = Problem.safeParse(item.metadata)
  const numbers = problem.success ? testedSteps(problem.data).map(({ number }) => number) : []
  const steps = numbers.map((step) => {
    const part = evidence.parts.find(({ name }) => name === step)
    return { step, passed: stepPassed(part), early_exit: endedEarly(part), missing_program: !part?.program?.trim() }
  })
  const passed = steps.filter((step) => step.passed).length
  const right = steps.length > 0 && passed === steps.length
  const failed = steps.find((step) => !step.passed)
  const told = (['early_exit', 'missing_program'] as const).flatMap((flag) => {
    const found = steps.filter((step) => step[flag]).map(({ step }) => step)
    return found.length > 0 ? [{ flag, text: ` ${sentence[flag]}: ${found.join(', ')}.` }] : []
  })
  const flags = [
    ...told.map(({ flag }) => flag),
    ...(evidence.finish_reason === 'length' ? ['truncated'] : []),
    ...(evidence.limit ? ['limit'] : []),
    ...(evidence.truncated_reasoning ? ['truncated_reasoning'] : []),
  ]
  return {
    value: right ? 1 : 0,
    outcome: right ? 'right' : 'wrong',
    answer: `${passed} of ${steps.length} steps`,
    explanation: `${passed} of ${steps.length} steps passed${failed ? `; the first that did not is ${failed.step}` : ''}.${told.map(({ text }) => text).join('')}`,
    flags,
    detail: { steps: steps.map(({ step, passed: ok, early_exit }) => ({ step, passed: ok, early_exit })) },
  }
}
