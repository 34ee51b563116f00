import type { Step } from '#shared/contract/transcript.ts'

/** Longest step that is told live, in UTF-16 units of its JSON; the record has the whole. */
const mostStep = 8000
const mostTexts = [2000, 300, 40]

/** The step with every text cleaned and, where it is long, only its beginning and end. */
export function shortStep(step: Step, clean: (text: string) => string): Step {
  const cleaned = withTexts(step, clean)
  for (const most of mostTexts) {
    const short = withTexts(cleaned, (text) => headAndTail(text, most))
    if (JSON.stringify(short).length <= mostStep) return short
  }
  return leftOut(step)
}

/** Stands for a step of which nothing is told before the trial has ended. */
export function leftOut({ at_ms, type }: Step): Step {
  return { type: 'note', at_ms, text: `A step of which nothing is shown before the trial has ended (${type}).` }
}

function headAndTail(text: string, most: number): string {
  if (text.length <= most) return text
  const half = Math.floor(most / 2)
  return `${text.slice(0, half)}\n[${text.length - 2 * half} characters left out]\n${text.slice(-half)}`
}

function withTexts(step: Step, change: (text: string) => string): Step {
  const inside = (value: unknown): unknown => {
    if (typeof value === 'string') return change(value)
    if (Array.isArray(value)) return value.map(inside)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inside(one)]))
  }
  return { ...(inside(step) as Step), type: step.type, at_ms: step.at_ms } as Step // the same members: only texts have changed
}
