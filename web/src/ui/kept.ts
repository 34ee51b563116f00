import { type Accessor, createMemo } from 'solid-js'
import type { Answer, ApiProblem } from '../api.ts'
import { isPassing } from './is-passing.ts'

/** What a page shows: the last good value with the moment it came, in milliseconds, and the problem of the newest attempt where it failed. */
export type Kept<T> = { value: T | undefined; atMs: number; problem: ApiProblem | undefined }

/** The next state after an answer: a passing problem does not take away what was good before. */
export function keepGood<T>(before: Kept<T>, answer: Answer<T>, nowMs: number): Kept<T> {
  if (answer.ok) return { value: answer.value, atMs: nowMs, problem: undefined }
  return { ...before, value: isPassing(answer.problem.status) ? before.value : undefined, problem: answer.problem }
}

/** Follows answers about the thing that `key` names; another thing begins anew. */
export function createKept<T>(key: Accessor<string>, answer: Accessor<Answer<T> | undefined>): Accessor<Kept<T>> {
  const nothing: Kept<T> = { value: undefined, atMs: 0, problem: undefined }
  const kept = createMemo<{ key: string; of: Kept<T> }>(
    (before) => {
      const got = answer()
      const former = before.key === key() ? before.of : nothing
      return { key: key(), of: got ? keepGood(former, got, Date.now()) : former }
    },
    { key: '', of: nothing },
  )
  return () => kept().of
}
