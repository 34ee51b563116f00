import type { TestedPart, TestsEvidence } from '../../contract/evidence/tests.ts'
import { partPassed, partSummary } from '../../contract/evidence/tests.ts'
import type { ItemFacts, Score } from '../../contract/item.ts'
import { answerFlags } from '../reading-score.ts'

/** What the answer to a task is read as; the target of every item is the first. */
export const verdicts = ['passed', 'failed'] as const

/** A task is right when every case of every probe passed. Leniencies that a diff took are flags. */
export function scoreTask(item: ItemFacts, evidence: TestsEvidence): Score {
  const [part] = evidence.parts
  const right = evidence.parts.length === 1 && partPassed(part!)
  const passed = part?.tests.filter(({ end }) => end === 'passed').length ?? 0
  const { language = null, difficulty = null } = item.metadata
  return {
    value: right ? 1 : 0,
    outcome: right ? 'right' : 'wrong',
    answer: part?.program == null ? null : right ? verdicts[0] : verdicts[1],
    explanation: part ? explain(part) : 'Nothing was tested.',
    flags: [...(part ? partFlags(part) : ['unparsed']), ...answerFlags(evidence)],
    detail: { passed, total: part?.total ?? 0, language, difficulty },
  }
}

function explain(part: TestedPart): string {
  if (part.program === null) return `No change was tested: ${part.build?.output ?? 'the answer holds none.'}`
  if (part.build && !part.build.ok) return `The build failed: ${part.build.output.split('\n')[0]}`
  return `${partSummary(part)}.`
}

function partFlags({ program, patch, build, leniencies = [] }: TestedPart): string[] {
  const flags: string[] = leniencies.map((one) => one.replaceAll('-', '_'))
  if (patch === null) flags.push('unparsed')
  else if (program === null) flags.push('diff_refused')
  else if (build && !build.ok) flags.push('build_failed')
  return flags
}
