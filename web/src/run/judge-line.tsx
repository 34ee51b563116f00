import { Show } from 'solid-js'
import type { RunHead, RunSpec } from '#shared/contract/run.ts'
import { short, usd } from '../ui/format.ts'

/** Who judges a run's answers and what that has taken, apart from the model's own tokens and cost; nothing where no answer is judged. */
export function JudgeLine(props: { spec: Pick<RunSpec, 'benchmarks'>; head: RunHead }) {
  const judges = () => [
    ...new Set(props.spec.benchmarks.flatMap(({ judge }) => (judge ? `${judge.model.slug} at ${judge.model.provider}` : []))),
  ]
  return (
    <Show when={props.head.judge}>
      {(judge) => (
        <p class="px-1 break-words text-muted">
          Judged by <span class="text-ink">{judges().join(', ')}</span>:{' '}
          {judge().cost_usd === null ? 'cost unknown' : usd(judge().cost_usd)} for {short(judge().usage.input_tokens)} →{' '}
          {short(judge().usage.output_tokens)} tokens, beside what the model cost
        </p>
      )}
    </Show>
  )
}
