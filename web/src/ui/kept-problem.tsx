import { AwayNote } from './away-note.tsx'
import type { Kept } from './kept.ts'
import { ProblemNote } from './problem.tsx'
import { Show } from './show.tsx'

/** The problem of a page that asks again by itself: beside what is still shown how old that is, without it the whole problem. */
export function KeptProblem(props: { kept: Kept<unknown> }) {
  return (
    <Show when={props.kept.problem}>
      {(problem) => (
        <div class="mb-5">
          <Show when={props.kept.value !== undefined} fallback={<ProblemNote problem={problem()} page />}>
            <AwayNote problem={problem()} sinceMs={props.kept.atMs} />
          </Show>
        </div>
      )}
    </Show>
  )
}
