import type { EvidenceOf } from '../../contract/evidence/evidence.ts'
import type { Score } from '../../contract/item.ts'
import type { Tables } from '../tables.ts'
import type { Checks, Instruction } from './check.ts'
import { isBlank, looseVariants } from './variants.ts'

/** Whether an answer followed an instruction, as it stands (`strict`) and allowing for framing lines and asterisks (`loose`). */
export type Verdicts = { strict: boolean; loose: boolean }
export type CheckVerdict = { name: string; verdicts: Verdicts }

/** Gold answer of an item of constraints, and the answer that is read when all were followed. */
export const allFollowed = 'all constraints'

/**
 * Verdicts of all instructions, in their order (reference 5.2). Throws `TableMissing`, and an error for an id that has no check: an
 * instruction that nobody checks must not count as followed.
 */
export function verdictsOf(text: string, instructions: readonly Instruction[], checks: Checks, tables: Tables): CheckVerdict[] {
  const variants = looseVariants(text)
  return instructions.map(({ id, kwargs }) => {
    const check = Object.hasOwn(checks, id) ? checks[id] : undefined
    if (!check) throw new Error(`there is no check "${id}"`)
    return { name: id, verdicts: verdicts(text, variants, (variant) => check(variant, kwargs, tables)) }
  })
}

function verdicts(text: string, variants: readonly string[], follows: (text: string) => boolean): Verdicts {
  const strict = !isBlank(text) && follows(text)
  return { strict, loose: strict || variants.some((variant) => variant !== text && follows(variant)) }
}

export type InstructionsScoring = { instructions: readonly Instruction[]; checks: Checks; headline: keyof Verdicts; tables: Tables }

/**
 * The score of an answer to an item of constraints: right iff every constraint was followed in the sense of `headline`. `detail.checks`
 * holds both verdicts of every constraint, by their place.
 */
export function scoreInstructions(
  evidence: EvidenceOf<'completion'>,
  { instructions, checks, headline, tables }: InstructionsScoring,
): Score {
  const text = evidence.scoring_input ?? evidence.text
  const found = verdictsOf(text, instructions, checks, tables)
  const broken = found.filter(({ verdicts }) => !verdicts[headline]).map(({ name }) => name)
  const followed = found.length - broken.length
  const right = broken.length === 0
  const flags: string[] = []
  if (isBlank(text)) flags.push('empty')
  if (evidence.finish_reason === 'length') flags.push('truncated')
  if (evidence.refused) flags.push('refused')
  if (evidence.limit) flags.push('limit')
  if (evidence.truncated_reasoning) flags.push('truncated_reasoning')
  const count = `Followed ${followed} of ${found.length} constraints (${headline})`
  return {
    value: right ? 1 : 0,
    outcome: right ? 'right' : 'wrong',
    answer: right ? allFollowed : `${followed} of ${found.length} constraints`,
    explanation: right ? `${count}.` : `${count}; not ${broken.join(', ')}.`,
    flags,
    detail: { checks: found },
  }
}

/** The instructions of an item from its facts, where `open` has put them after parsing. Throws for facts that cannot come from there. */
export function instructionsOf(metadata: Readonly<Record<string, unknown>>): Instruction[] {
  const { instruction_id_list: ids, kwargs } = metadata
  if (!Array.isArray(ids) || !Array.isArray(kwargs) || ids.length === 0 || ids.length !== kwargs.length)
    throw new Error('the item has no list of instructions')
  return ids.map((id: string, place) => ({ id, kwargs: kwargs[place] }))
}
