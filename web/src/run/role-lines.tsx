import { For } from 'solid-js'
import { type HelperRole, helpedBy, roleEntries, rolesOf } from '#shared/contract/role.ts'
import type { RunHead, RunSpec } from '#shared/contract/run.ts'
import { costText, untoldText } from '#shared/run/spent-text.ts'
import { short, usd } from '../ui/format.ts'
import { Show } from '../ui/show.tsx'

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** Who helps in a run, such as its judge, and what that has taken, apart from the model's own tokens and cost; nothing where nobody does. */
export function RoleLines(props: { spec: Pick<RunSpec, 'benchmarks'>; head: RunHead }) {
  const who = (role: HelperRole) => [
    ...new Set(
      props.spec.benchmarks.flatMap((planned) => rolesOf(planned)[role]?.model ?? []).map((model) => `${model.slug} at ${model.provider}`),
    ),
  ]
  return (
    <For each={roleEntries(rolesOf(props.head))}>
      {([role, spent]) => (
        <p class="px-1 break-words text-muted">
          {capital(helpedBy[role])} <span class="text-ink">{who(role).join(', ')}</span>: {costText(spent, usd, 'cost unknown')} for{' '}
          {short(spent.usage.input_tokens)} → {short(spent.usage.output_tokens)} tokens, beside what the model cost
          <Show when={untoldText(spent.usage)}>{(text) => <>; {text()}</>}</Show>
        </p>
      )}
    </For>
  )
}
