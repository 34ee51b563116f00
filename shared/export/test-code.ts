import type { TestedPart } from '../contract/evidence/tests.ts'
import type { TrialRecord } from '../contract/trial.ts'

/** Longest `test_code`, in UTF-16 units; the item page and the record hold all of it. */
export const mostTestCode = 10_000

/**
 * Text of the predecessor's field `test_code`: the commands that ran in the sandbox, then what each test was given and had to give.
 * Null where no program was tested, and of a withheld trial, whose record holds neither.
 */
export function testCodeOf({ evidence, transcript }: Pick<TrialRecord, 'evidence' | 'transcript'>): string | null {
  if (evidence?.kind !== 'tests') return null
  const commands = (transcript ?? []).flatMap((step) => (step.type === 'exec' ? [`$ ${step.command}`] : []))
  const text = [...new Set(commands), ...evidence.parts.flatMap(partLines)].join('\n')
  if (text === '') return null
  return text.length > mostTestCode ? `${text.slice(0, mostTestCode - 1)}…` : text
}

function partLines({ name, total, tests }: TestedPart): string[] {
  const title = `# ${name === '' ? 'program' : name}: ${total} ${total === 1 ? 'test' : 'tests'}`
  const lines = tests.flatMap((test) => [
    `# ${test.name}`,
    ...(test.input ? [`input: ${test.input}`] : []),
    ...(test.expected ? [`expected: ${test.expected}`] : []),
  ])
  return [title, ...lines]
}
