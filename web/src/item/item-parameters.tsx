import { For } from 'solid-js'
import type { TrialRecord } from '#shared/contract/trial.ts'
import { valueText } from '#shared/run/param-texts.ts'
import { count } from '../ui/format.ts'
import { Section } from '../ui/section.tsx'
import { Show } from '../ui/show.tsx'

/** A parameter that few runs have, where this one does. */
const whereAsked = (name: string, value: unknown, unit = ''): [string, string][] =>
  value === undefined ? [] : [[name, `${typeof value === 'number' ? count(value) : valueText(value)} ${unit}`.trim()]]

/** What was sent with the question besides its text; what was not sent was the provider's to choose. */
export function ItemParameters(props: { record: TrialRecord }) {
  return (
    <Show when={props.record.params}>
      {(params) => {
        const sent = (): [string, string][] => [
          ['Temperature', params().temperature?.toString() ?? 'not sent'],
          ['Top p', params().top_p?.toString() ?? 'not sent'],
          ['Most tokens', params().max_tokens === null ? 'not sent' : count(params().max_tokens)],
          ['Reasoning effort', params().reasoning_effort ?? 'not sent'],
          ...whereAsked('Reasoning budget', params().reasoning_budget_tokens, 'tokens'),
          ...whereAsked('Routing', params().routing),
          ...whereAsked('Tool calling', params().tool_calling),
          ['Seed', params().seed?.toString() ?? 'not sent'],
          [
            'Stop texts',
            params()
              .stop?.map((text) => JSON.stringify(text))
              .join(', ') || 'not sent',
          ],
        ]
        return (
          <Section title="Parameters of the request">
            <dl class="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 sm:grid-cols-[auto_1fr_auto_1fr]">
              <For each={sent()}>
                {([name, value]) => (
                  <>
                    <dt class="text-faint">{name}</dt>
                    <dd class={`break-all ${value === 'not sent' ? 'text-muted' : ''}`}>{value}</dd>
                  </>
                )}
              </For>
            </dl>
          </Section>
        )
      }}
    </Show>
  )
}
