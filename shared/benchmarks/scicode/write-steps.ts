import type { EvidenceOf } from '../../contract/evidence/evidence.ts'
import type { Outcome } from '../../contract/failure.ts'
import { answeredEvidence } from '../../solvers/generate.ts'
import type { Kit } from '../../solvers/kit.ts'
import { scoredText } from '../reading-score.ts'
import { extractCode } from './extract-code.ts'
import type { Problem } from './problem.ts'
import { stepPrompt } from './step-prompt.ts'

/** The code of every step that was written or given, in order; it ends where a limit did. */
export type Written = { codes: string[]; answer: Omit<EvidenceOf<'completion'>, 'kind'> }

/**
 * Asks for every step that is not given, one call each; later steps see the code of earlier ones, whatever it is worth. The answer is the last one; it
 * counts as cut off, or as reasoning without an end, where any of them was.
 */
export async function writeSteps(problem: Problem, kit: Kit, template: string): Promise<Outcome<Written>> {
  const codes: string[] = []
  let answer: Written['answer'] | null = null
  for (const [index, { number, given }] of problem.steps.entries()) {
    if (given !== null) {
      codes.push(given)
      continue
    }
    kit.progress(`writes step ${number}`)
    const content = stepPrompt(template, problem, codes, index)
    const said = answeredEvidence(await kit.ask('model', { messages: [{ role: 'user', content }] }))
    if (!said.ok) return said
    const { kind: _, ...completion } = said.value
    if (completion.limit) {
      answer = { ...(answer ?? completion), limit: completion.limit }
      break
    }
    codes.push(extractCode(scoredText(completion)))
    answer = joined(answer, completion)
  }
  const nothing = { text: '', reasoning: null, finish_reason: null, scoring_input: null, truncated_reasoning: false }
  return { ok: true, value: { codes, answer: answer ?? nothing } }
}

function joined(before: Written['answer'] | null, last: Written['answer']): Written['answer'] {
  return {
    ...last,
    finish_reason: before?.finish_reason === 'length' ? 'length' : last.finish_reason,
    truncated_reasoning: last.truncated_reasoning || before?.truncated_reasoning === true,
  }
}
