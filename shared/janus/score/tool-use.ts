import { type Called, callScore, type Expected } from './function-call.ts'
import { holds, type Version } from './phrases.ts'

const codeTools: readonly (string | null)[] = ['code_execute', 'execute_code', 'run_code']

/** What the scorers of tool use read of an item and of an exchange: the calls in their order, and the answer. */
export type ToolFacts = {
  subtype: string
  expected_call?: Expected
  expected_tools?: readonly string[]
  acceptable_alternatives?: readonly string[]
  expected_sequence?: readonly string[]
  expected_output_contains?: readonly string[]
  allow_extra_args?: boolean
  partial_credit?: boolean
  verify_final_answer?: boolean
}

/**
 * How well tools were used. Official (`v1`): the calls of the first turn, of function calls the first alone. `v2`: all turns; of function calls the best
 * counts, and steps of a chain count in their order, whatever was called between them.
 */
export function toolScore(facts: ToolFacts, calls: readonly Called[], text: string, version: Version): number {
  const names = calls.flatMap((call) => call.function ?? [])
  if (facts.subtype === 'function_calling') return functionScore(facts, calls, version)
  if (facts.subtype === 'tool_selection') return selectionScore(facts.expected_tools ?? [], facts.acceptable_alternatives ?? [], names)
  if (facts.subtype === 'tool_chaining') return chainScore(facts, names, text, version)
  if (facts.subtype === 'code_execution') return codeScore(facts.expected_output_contains ?? [], calls, text, version)
  return 0
}

function functionScore({ expected_call, allow_extra_args = true }: ToolFacts, calls: readonly Called[], version: Version): number {
  if (!expected_call) return 0
  const read = version === 'v1' ? calls.slice(0, 1) : calls
  return Math.max(0, ...read.map((call) => callScore(expected_call, call, allow_extra_args, version)))
}

/** The first call decides: 1 for an expected tool, 0.8 for another acceptable one; 0.5 where an acceptable one follows later. */
export function selectionScore(expected: readonly string[], others: readonly string[], names: readonly string[]): number {
  const [first] = names
  if (first === undefined) return 0
  if (expected.includes(first)) return 1
  if (others.includes(first)) return 0.8
  return names.some((name) => expected.includes(name) || others.includes(name)) ? 0.5 : 0
}

function chainScore(facts: ToolFacts, names: readonly string[], text: string, version: Version): number {
  const { expected_sequence = [], expected_output_contains = [], partial_credit = true, verify_final_answer = false } = facts
  const steps = sequenceScore(expected_sequence, names, partial_credit, version)
  if (!verify_final_answer || expected_output_contains.length === 0) return steps
  return (steps + shareOfOutputs(text, expected_output_contains, version)) / 2
}

/** The share of steps that stand where they are expected (`v1`), or in their order (`v2`); without partial credit all or nothing. */
export function sequenceScore(expected: readonly string[], names: readonly string[], partial: boolean, version: Version): number {
  if (expected.length === 0 || names.length === 0) return 0
  const met = version === 'v1' ? expected.filter((step, index) => names[index] === step).length : longestInOrder(expected, names)
  return met === expected.length ? 1 : partial ? met / expected.length : 0
}

/** Length of the longest common subsequence. */
function longestInOrder(one: readonly string[], other: readonly string[]): number {
  let row = new Array<number>(other.length + 1).fill(0)
  for (const step of one) {
    const next = [0]
    other.forEach((name, at) => {
      next.push(step === name ? row[at]! + 1 : Math.max(row[at + 1]!, next[at]!))
    })
    row = next
  }
  return row.at(-1)!
}

/** The share of outputs that an answer holds; case counts officially. */
function shareOfOutputs(text: string, outputs: readonly string[], version: Version): number {
  if (outputs.length === 0) return 0
  return outputs.filter((output) => (version === 'v1' ? text.includes(output) : holds(text, output, 'v2'))).length / outputs.length
}

/** 0.2 without a call of a code tool or a fenced block, 0.5 where nothing is expected, else the share of outputs. `v2`: only code that was run counts. */
function codeScore(outputs: readonly string[], calls: readonly Called[], text: string, version: Version): number {
  const ran = calls.some((call) => codeTools.includes(call.function)) || (version === 'v1' && text.includes('```'))
  if (!ran) return version === 'v1' ? 0.2 : Math.min(0.2, shareOfOutputs(text, outputs, version))
  return outputs.length === 0 ? 0.5 : shareOfOutputs(text, outputs, version)
}
