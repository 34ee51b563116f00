import type { LiveEntry } from '../contract/live.ts'
import type { Role } from '../contract/role.ts'
import type { Step } from '../contract/transcript.ts'

/** A part of an answer as far as it came: `text` stands from its unit `from` on, what was before is not known any more. */
export type LivePart = { from: number; text: string }
/** A call that has not ended. */
export type LiveCall = { call: number; role: Role; text: LivePart; reasoning: LivePart }
/** A terminal as it stands: what draws it on an empty screen of this size. */
export type LiveScreen = { columns: number; rows: number; text: string }
/** A trial under way as its entries tell it: the last of its steps with their numbers, calls that have not ended, the last words of its solver. */
export type LiveTrial = {
  steps: readonly { number: number; call: number | null; step: Step }[]
  calls: readonly LiveCall[]
  progress: readonly string[]
  screen: LiveScreen | null
}

export const nothingYet: LiveTrial = { steps: [], calls: [], progress: [], screen: null }

const mostProgress = 20
const nothing: LivePart = { from: 0, text: '' }

/** The trial after one more entry; its texts together stay within `most` UTF-16 units, the newest of them. */
export function foldLive(trial: LiveTrial, entry: LiveEntry, most: number): LiveTrial {
  switch (entry.type) {
    case 'progress':
      return { ...trial, progress: [...trial.progress, entry.text].slice(-mostProgress) }
    case 'screen': {
      const { columns, rows, text } = entry
      return { ...trial, screen: { columns, rows, text: text.slice(-most) } }
    }
    case 'step': {
      const { number, call, step } = entry
      const steps = [...trial.steps.filter((one) => one.number < number), { number, call, step }]
      return bounded({ ...trial, steps, calls: trial.calls.filter((one) => one.call !== call) }, most)
    }
    case 'delta': {
      const { call, role, part, from, text } = entry
      const before = trial.calls.find((one) => one.call === call) ?? { call, role, text: nothing, reasoning: nothing }
      const next = { ...before, [part]: appended(before[part], from, text) }
      const calls = trial.calls.includes(before) ? trial.calls.map((one) => (one === before ? next : one)) : [...trial.calls, next]
      return bounded({ ...trial, calls }, most)
    }
  }
}

/** Entries that tell a trial from its beginning, to whoever knows nothing of it. */
export function entriesOf({ steps, calls, progress, screen }: LiveTrial): LiveEntry[] {
  return [
    ...steps.map((one) => ({ type: 'step' as const, ...one })),
    ...calls.flatMap(({ call, role, ...parts }) =>
      (['reasoning', 'text'] as const).map((part) => ({ type: 'delta' as const, call, role, part, ...parts[part] })),
    ),
    ...progress.map((text) => ({ type: 'progress' as const, text })),
    ...(screen ? [{ type: 'screen' as const, ...screen }] : []),
  ]
}

function appended(part: LivePart, from: number, text: string): LivePart {
  return from === part.from + part.text.length ? { from: part.from, text: part.text + text } : { from, text }
}

const sizeOfCall = ({ text, reasoning }: LiveCall): number => text.text.length + reasoning.text.length
const sizeOfStep = ({ step }: LiveTrial['steps'][number]): number => JSON.stringify(step).length

/** Lets go of the oldest: steps first, then the beginnings of what is being answered. The last step stays whatever its size. */
function bounded(trial: LiveTrial, most: number): LiveTrial {
  const calls = trial.calls.reduce((sum, call) => sum + sizeOfCall(call), 0)
  let left = Math.max(0, most - calls)
  const first = trial.steps.findLastIndex((step, at) => {
    left -= sizeOfStep(step)
    return left < 0 && at < trial.steps.length - 1
  })
  const steps = first < 0 ? trial.steps : trial.steps.slice(first + 1)
  if (calls <= most) return { ...trial, steps }
  const each = Math.floor(most / trial.calls.length / 2)
  return {
    ...trial,
    steps,
    calls: trial.calls.map((call) => ({ ...call, text: tail(call.text, each), reasoning: tail(call.reasoning, each) })),
  }
}

function tail({ from, text }: LivePart, most: number): LivePart {
  const over = text.length - most
  return over <= 0 ? { from, text } : { from: from + over, text: text.slice(over) }
}
