import type { ApiProblem } from '../api.ts'
import { ProblemNote } from '../ui/problem.tsx'
import { Show } from '../ui/show.tsx'

/** Shows a failed request at the end of a box; renders nothing without a problem. */
export function ProblemFoot(props: { problem: ApiProblem | undefined }) {
  return (
    <Show when={props.problem}>
      {(problem) => (
        <div class="border-t border-line p-4">
          <ProblemNote problem={problem()} />
        </div>
      )}
    </Show>
  )
}
