import { createRedactor } from '#shared/secrets/redactor.ts'
import type { Answer } from './completion-reader.ts'

const nameLimit = 300
const finishLimit = 60

/**
 * Builds the cleaner of answers: no field of one leaves the client with a secret in it. An answer without one keeps every character and is
 * only cut where it is a name; one with a secret is marked as `redacted`.
 */
export function createAnswerCleaner(secrets: readonly string[]): (answer: Answer) => Answer {
  const redact = createRedactor(secrets)
  return (answer) => {
    let redacted = false
    const clean = (text: string): string => {
      const without = redact(text)
      redacted ||= without !== text
      return without
    }
    const orNull = (text: string | null, limit?: number): string | null => (text === null ? null : clean(text).slice(0, limit))
    const cleaned: Answer = {
      ...answer,
      text: clean(answer.text),
      reasoning: orNull(answer.reasoning),
      finish_reason: orNull(answer.finish_reason, finishLimit),
      model_reported: orNull(answer.model_reported, nameLimit),
      system_fingerprint: orNull(answer.system_fingerprint, nameLimit),
      ...(answer.aside && { aside: everyText(answer.aside, clean) }),
      tool_calls: answer.tool_calls.map((call) => ({ id: orNull(call.id), name: orNull(call.name), arguments: clean(call.arguments) })),
    }
    return redacted ? { ...cleaned, redacted } : cleaned
  }
}

/** The same value with every text in it cleaned, names of fields too. */
function everyText<T>(value: T, clean: (text: string) => string): T {
  const cleaned = (one: unknown): unknown => {
    if (typeof one === 'string') return clean(one)
    if (Array.isArray(one)) return one.map(cleaned)
    if (typeof one !== 'object' || one === null) return one
    return Object.fromEntries(Object.entries(one).map(([name, each]) => [clean(name), cleaned(each)]))
  }
  return cleaned(value) as T // every value keeps its form, texts stay texts
}
