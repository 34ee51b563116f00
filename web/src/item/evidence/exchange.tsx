import { For } from 'solid-js'
import type { ArtifactLink } from '#shared/contract/artifact.ts'
import type { EvidenceOf } from '#shared/contract/evidence/evidence.ts'
import type { TrialRecord } from '#shared/contract/trial.ts'
import { milliseconds } from '#shared/metrics/number-text.ts'
import { count } from '../../ui/format.ts'
import { Section } from '../../ui/section.tsx'
import { Show } from '../../ui/show.tsx'
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
            figures={picture.read ? `${picture.read.format}, ${picture.read.width} × ${picture.read.height}` : picture.format}
          >
            <Show when={addressOf(picture.artifact)} fallback={<p class="break-all text-muted">{picture.address ?? 'not kept'}</p>}>
              {(url) => <img src={url()} alt="Made by the model" class="max-h-96 max-w-full" />}
            </Show>
          </Section>
        )}
      </For>
      <For each={props.evidence.turns}>
        {(turn, index) => <TurnView turn={turn} number={index() + 1} last={index() + 1 === props.evidence.turns.length} />}
      </For>
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

const brokenWords: Record<NonNullable<Turn['stream']>['end'], string | undefined> = {
  done: undefined,
  closed: undefined,
  cut: 'its stream was cut',
  stalled: 'its stream fell silent',
}

/** The figures of one turn, its words where tools followed them, and every tool with what it said. */
function TurnView(props: { turn: Turn; number: number; last: boolean }) {
  const figures = () => {
    const { ttft_ms, latency_ms, stream, usage, usage_known } = props.turn
    return [
      ttft_ms === null ? 'no token came' : `first token after ${milliseconds(ttft_ms)}`,
      `whole after ${milliseconds(latency_ms)}`,
      ...(stream?.max_token_gap_ms == null ? [] : [`longest silence between tokens ${milliseconds(stream.max_token_gap_ms)}`]),
      usage_known ? `${count(usage.output_tokens)} tokens` : 'tokens not told',
    ].join(' · ')
  }
  const broken = () => props.turn.stream && brokenWords[props.turn.stream.end]
  return (
    <Section title={`Turn ${props.number}`} note={broken() ?? undefined} figures={figures()}>
      <Show when={props.turn.tool_calls.length > 0 && props.turn.text !== ''}>
        <PlainText text={props.turn.text} />
      </Show>
      <For
        each={props.turn.tool_calls}
        fallback={<p class="text-muted">{props.last ? 'No tool was called: it answered.' : 'No tool was called.'}</p>}
      >
        {(call) => (
          <div class="mt-2">
            <p class="font-mono text-s break-words">
              {call.name ?? '?'}({call.arguments})
              <Show when={call.is_error}>
                <span class="ml-2 font-sans text-papaya">failed</span>
              </Show>
            </p>
            <div class="border-l-2 border-line-strong pl-3">
              <Show when={call.result !== null} fallback={<p class="text-muted">It was not answered.</p>}>
                <PlainText text={call.result ?? ''} />
              </Show>
            </div>
          </div>
        )}
      </For>
    </Section>
  )
}
