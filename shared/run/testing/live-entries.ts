import type { LiveEntry } from '../../contract/live.ts'

/** More of what the model says in a call. */
export const delta = (call: number, from: number, text: string, part: 'text' | 'reasoning' = 'text'): LiveEntry => ({
  type: 'delta',
  call,
  role: 'model',
  part,
  from,
  text,
})

/** A finished step, which ends a call where it names one. */
export const note = (number: number, text: string, call: number | null = null): LiveEntry => ({
  type: 'step',
  number,
  call,
  step: { type: 'note', at_ms: number, text },
})
