import { For } from 'solid-js'
import { roleEntries, rolesOf, roleTitles } from '#shared/contract/role.ts'
import type { TrialRecord } from '#shared/contract/trial.ts'
import type { Usage } from '#shared/contract/usage.ts'
import { costText, untoldText } from '#shared/run/spent-text.ts'
import { count, duration, usd } from '../ui/format.ts'
import { Section } from '../ui/section.tsx'
import { Show } from '../ui/show.tsx'
import { StreamBar } from './stream-bar.tsx'

/** Tokens, cost and the course of the stream in time. */
export function ItemUsage(props: { record: TrialRecord }) {
  const figures = (): [string, string][] => {
    const { usage, cost_usd, calls, model_reported, system_fingerprint, attempt, stream, latency_ms } = props.record
    return [
      ...(stream && latency_ms !== null ? [['Whole answer', duration(latency_ms)] as [string, string]] : []),
      ['Input', `${count(usage.input_tokens)} tokens`],
      ['of it cached', count(usage.cached_tokens)],
      ['Output', `${count(usage.output_tokens)} tokens`],
      ['of it reasoning', count(usage.reasoning_tokens)],
      ['Cost', costText({ usage, cost_usd }, usd, usage.untold_calls ? 'unknown' : usd(null))],
      ...untoldFigures(usage),
      ['Calls', `${count(calls)}${attempt > 1 ? `, attempt ${attempt}` : ''}`],
      ['Model said', model_reported ?? 'nothing'],
      ['Fingerprint', system_fingerprint ?? 'none'],
      ...helperFigures(props.record),
    ]
  }
  const first = () =>
    props.record.latency_ms && props.record.ttft_ms !== null ? (props.record.ttft_ms / props.record.latency_ms) * 100 : 0
  return (
    <Section title="Usage and timing">
      <Show when={props.record.stream}>
        {(stream) => <StreamBar stream={stream()} measuredBy={props.record.measured_by} calls={props.record.calls} />}
      </Show>
      <Show when={!props.record.stream && props.record.latency_ms !== null}>
        <div class="mb-1 flex h-2 overflow-hidden rounded-full bg-moss-fill" aria-hidden="true">
          <div class="bg-line-strong" style={{ width: `${first()}%` }} />
        </div>
        <p class="mb-3 flex flex-wrap gap-x-4 text-s text-muted">
          <span>first token after {duration(props.record.ttft_ms)}</span>
          <span>longest gap {duration(props.record.max_gap_ms)}</span>
          <span class="ml-auto">whole answer {duration(props.record.latency_ms)}</span>
        </p>
      </Show>
      <dl class="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 sm:grid-cols-[auto_1fr_auto_1fr]">
        <For each={figures()}>
          {([name, value]) => (
            <>
              <dt class="text-faint">{name}</dt>
              <dd class="break-all">{value}</dd>
            </>
          )}
        </For>
      </dl>
    </Section>
  )
}

/** That some calls told no tokens. */
function untoldFigures(usage: Usage): [string, string][] {
  const text = untoldText(usage)
  return text === null ? [] : [['Not told', text]]
}

/** What the other roles took, which is not part of the figures above. */
function helperFigures(record: TrialRecord): [string, string][] {
  return roleEntries(rolesOf(record)).flatMap(([role, { model, model_reported, usage, cost_usd, calls }]) => [
    [roleTitles[role], model_reported ?? model],
    ['its tokens', `${count(usage.input_tokens)} in, ${count(usage.output_tokens)} out`],
    ['its cost', costText({ usage, cost_usd }, usd, usage.untold_calls ? 'unknown' : usd(null))],
    ...untoldFigures(usage),
    ['its calls', count(calls)],
  ])
}
