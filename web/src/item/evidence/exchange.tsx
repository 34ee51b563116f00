import { For, Show } from 'solid-js'
import type { ArtifactLink } from '#shared/contract/artifact.ts'
import type { EvidenceOf } from '#shared/contract/evidence/evidence.ts'
import type { TrialRecord } from '#shared/contract/trial.ts'
import { count } from '../../ui/format.ts'
import { Section } from '../../ui/section.tsx'
import { PlainText } from '../markdown-text.tsx'
import { CompletionView } from './completion.tsx'

type Turn = EvidenceOf<'exchange'>['turns'][0]

/** An exchange: the last answer, then its turns with the tools that were called, code that was run, pictures, and what a judge said. */
export function ExchangeView(props: { evidence: EvidenceOf<'exchange'>; record: TrialRecord; artifacts: readonly ArtifactLink[] }) {
  const addressOf = (name: string | null) => props.artifacts.find((one) => one.name === name)?.url ?? null
  return (
    <>
      <CompletionView evidence={{ ...props.evidence, kind: 'completion' }} record={props.record} />
      <For each={props.evidence.pictures}>
        {(picture) => (
          <Section
            title="Picture"
            note={picture.read ? `${picture.read.format}, ${picture.read.width} × ${picture.read.height}` : picture.format}
          >
            <Show when={addressOf(picture.artifact)} fallback={<p class="break-all text-muted">{picture.address ?? 'not kept'}</p>}>
              {(url) => <img src={url()} alt="Made by the model" class="max-h-96 max-w-full" />}
            </Show>
          </Section>
        )}
      </For>
      <For each={props.evidence.turns}>{(turn, index) => <TurnView turn={turn} number={index() + 1} />}</For>
      <Show when={props.evidence.code}>
        {(code) => (
          <Section title="Code that was run" note={`${code().cases.filter(Boolean).length} of ${code().cases.length} cases right`}>
            <PlainText text={code().program} />
          </Section>
        )}
      </Show>
      <Show when={props.evidence.judge}>
        {(judge) => (
          <Section title={`Judge: ${judge().model}`}>
            <For each={judge().replies}>{(reply) => <PlainText text={reply} />}</For>
          </Section>
        )}
      </Show>
    </>
  )
}

/** The figures of one turn, its words where tools followed them, and every tool with what it said. */
function TurnView(props: { turn: Turn; number: number }) {
  const note = () =>
    [
      props.turn.ttft_ms === null ? null : `first token after ${count(Math.round(props.turn.ttft_ms))} ms`,
      `whole after ${count(Math.round(props.turn.latency_ms))} ms`,
      props.turn.usage_known ? `${count(props.turn.usage.output_tokens)} tokens` : 'tokens not told',
    ]
      .filter(Boolean)
      .join(' · ')
  return (
    <Section title={`Turn ${props.number}`} note={note()}>
      <Show when={props.turn.tool_calls.length > 0} fallback={<p class="text-muted">No tool was called.</p>}>
        <Show when={props.turn.text !== ''}>
          <PlainText text={props.turn.text} />
        </Show>
        <For each={props.turn.tool_calls}>
          {(call) => (
            <div class="mt-2">
              <p class="font-mono text-s break-words">
                {call.name ?? '?'}({call.arguments})
              </p>
              <Show when={call.result !== null} fallback={<p class="text-muted">It was not answered.</p>}>
                <PlainText text={call.result ?? ''} />
              </Show>
            </div>
          )}
        </For>
      </Show>
    </Section>
  )
}
