import { type Accessor, createMemo } from 'solid-js'
import type { Answer, ApiProblem } from '../api.ts'

/** What a page shows: the last good value, and the problem of the newest attempt where it failed. */
export type Kept<T> = { value: T | undefined; problem: ApiProblem | undefined }

/** Whether a problem passes by itself: the server is away, busy or broken. What it says of the thing asked for (404, 403) does not. */
export const isPassing = ({ status }: Pick<ApiProblem, 'status'>): boolean => status === 0 || status === 429 || status >= 500

/** The next state after an answer: a passing problem does not take away what was good before. */
export function keepGood<T>(before: Kept<T>, answer: Answer<T>): Kept<T> {
  if (answer.ok) return { value: answer.value, problem: undefined }
  return { value: isPassing(answer.problem) ? before.value : undefined, problem: answer.problem }
}

/** Follows answers about the thing that `key` names; another thing begins anew. */
export function createKept<T>(key: Accessor<string>, answer: Accessor<Answer<T> | undefined>): Accessor<Kept<T>> {
  const nothing: Kept<T> = { value: undefined, problem: undefined }
  const kept = createMemo<{ key: string; of: Kept<T> }>(
    (before) => {
      const got = answer()
      const former = before.key === key() ? before.of : nothing
      return { key: key(), of: got ? keepGood(former, got) : former }
    },
    { key: '', of: nothing },
  )
  return () => kept().of
}
