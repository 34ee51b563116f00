import { mostToolResult } from '../contract/evidence/exchange.ts'
import type { ToolCall } from '../contract/message.ts'
import { calculate, NoExpression } from './calculate.ts'
import { findSimulated, type SimulatedCall } from './simulated-call.ts'

export type ToolAnswer = { result: string; is_error: boolean }

/** The arguments of a call, or null where they are no JSON object. */
export function givenArguments(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

const failed = (result: string): ToolAnswer => ({ result, is_error: true })

/**
 * What a tool of an item answers to a call: the same to the same call, ever. The item's own list answers, a calculator computes; nothing is asked of the
 * world. `code_execute` is not answered here: null, as it needs a sandbox.
 */
export function simulate(call: ToolCall, offered: readonly string[], list: readonly SimulatedCall[]): ToolAnswer | null {
  if (call.name === null || !offered.includes(call.name)) return failed(`There is no tool ${call.name ?? 'without a name'}.`)
  const given = givenArguments(call.arguments)
  if (!given) return failed('The arguments are no JSON object.')
  if (call.name === 'code_execute') return null
  if (call.name === 'calculator') return calculated(given)
  const found = findSimulated(list, call.name, given)
  if (!found) return failed('Nothing was found for these arguments.')
  const text = typeof found.result === 'string' ? found.result : JSON.stringify(found.result)
  return { result: text.slice(0, mostToolResult), is_error: false }
}

function calculated({ expression }: Record<string, unknown>): ToolAnswer {
  if (typeof expression !== 'string') return failed('The calculator needs an expression.')
  try {
    return { result: JSON.stringify({ expression, result: calculate(expression) }).slice(0, mostToolResult), is_error: false }
  } catch (error) {
    if (error instanceof NoExpression) return failed(`The expression has no value: ${error.message}.`)
    throw error
  }
}
