import * as z from 'zod'
import type { Step } from '#shared/contract/transcript.ts'

/** What a model typed and how many seconds it wanted to wait then; null where that was no number. */
export type TypedKeys = { keystrokes: string; duration: number | null }
/** A turn of a model at a terminal: what it said, what it typed, what it saw then. `number` counts from 1, as the marks of the recording do. */
export type Turn = { number: number; said: string; keys: TypedKeys[]; done: boolean; unreadable: boolean; saw: string }

const Typed = z.object({ keystrokes: z.string(), duration: z.number().nullable() })

/**
 * The turns that a transcript tells, one list for each recording: turns count from the beginning again where the task goes on with another step. Calls to the
 * model that no tool call follows are summaries, and no turns.
 */
export function turnsOf(steps: readonly Step[]): Turn[][] {
  const all: Turn[][] = []
  let said: string | null = null
  for (const step of steps) {
    if (step.type === 'model_call' && step.role === 'model') said = step.reply?.text ?? ''
    if (step.type !== 'tool_call') continue
    const before = all.at(-1)?.at(-1)
    const told = /^call_(\d+)_/.exec(step.call_id ?? '')
    const begins = said !== null
    if (begins) {
      const number = told ? Number(told[1]) + 1 : (before?.number ?? 0) + 1
      const turn: Turn = { number, said: said ?? '', keys: [], done: false, unreadable: step.is_error, saw: '' }
      if (before && number > before.number) all.at(-1)!.push(turn)
      else all.push([turn])
      said = null
    }
    const turn = all.at(-1)?.at(-1)
    if (turn) take(turn, step)
  }
  return all
}

function take(turn: Turn, { name, arguments: written, result }: Extract<Step, { type: 'tool_call' }>): void {
  if (name === 'mark_task_complete') turn.done = true
  if (name === 'bash_command') {
    const typed = Typed.safeParse(parsed(written))
    if (typed.success) turn.keys.push(typed.data)
  }
  if (result !== '') turn.saw = result
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
