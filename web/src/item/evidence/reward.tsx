import { For } from 'solid-js'
import type { ArtifactLink } from '#shared/contract/artifact.ts'
import type { EvidenceOf } from '#shared/contract/evidence/evidence.ts'
import { type AgentEnd, type GradedStep, type Phase, rewardWords, tamperingWords } from '#shared/contract/evidence/reward.ts'
import type { TrialRecord } from '#shared/contract/trial.ts'
import { count, duration } from '../../ui/format.ts'
import { Section } from '../../ui/section.tsx'
import { Show } from '../../ui/show.tsx'
import { EpisodeRecordings } from '../terminal/episode-recordings.tsx'
import { CompletionView } from './completion.tsx'
import { RegradeLines } from './regrade-lines.tsx'
import { LogText } from './tests/log-text.tsx'

/** Who worked at the terminal and how that ended, what the verifier made of it step by step, and where the time went. */
export function RewardView(props: { evidence: EvidenceOf<'reward'>; record: TrialRecord; artifacts: readonly ArtifactLink[] }) {
  return (
    <>
      <For each={props.evidence.steps}>{(step) => <StepView step={step} agent={props.evidence.agent.name} />}</For>
      <RegradeLines evidence={props.evidence} record={props.record} />
      <EpisodeRecordings record={props.record} artifacts={props.artifacts} />
      <Section title="Episode">
        <p class="break-all text-s text-muted">
          Image {props.evidence.image.name} · {props.evidence.image.digest} ·{' '}
          {props.evidence.room === 'clean' ? 'verified in a fresh machine' : 'verified in the machine of the agent'}
        </p>
        <ol class="mt-2">
          <For each={props.evidence.phases}>{(phase) => <PhaseLine phase={phase} />}</For>
        </ol>
      </Section>
      <Show when={props.evidence.text !== ''}>
        <CompletionView evidence={{ ...props.evidence, kind: 'completion' }} record={props.record} />
      </Show>
    </>
  )
}

function StepView(props: { step: GradedStep; agent: string }) {
  const named = (title: string): string => (props.step.name === '' ? title : `${title}: ${props.step.name}`)
  const full = () =>
    props.step.rewards !== null && props.step.tampering.length === 0 && Object.values(props.step.rewards).every((one) => one === 1)
  const turns = () =>
    props.step.agent.turns > 0 ? ` after ${count(props.step.agent.turns)} ${props.step.agent.turns === 1 ? 'turn' : 'turns'}` : ''
  return (
    <>
      <Section title={named('Reward')}>
        <p class={full() ? 'text-moss' : 'text-papaya'}>{rewardWords(props.step)}</p>
        <For each={props.step.tampering}>{(sign) => <p class="mt-1 text-papaya">Scored 0: {tamperingWords[sign]}.</p>}</For>
        <Show when={props.step.ignored.length > 0}>
          <p class="mt-1 text-s text-muted">Not numbers, left out: {props.step.ignored.join(', ')}</p>
        </Show>
        <Show when={props.step.left_running}>{(left) => <LeftRunning left={left()} />}</Show>
        <p class="mt-1 text-s text-muted">
          {props.agent} {endWords[props.step.agent.end]}
          {turns()}
          {props.step.agent.detail === '' ? '' : `: ${props.step.agent.detail}`}
        </p>
      </Section>
      <Show when={props.step.verifier}>
        {(verifier) => (
          <Section title={named('Verifier')} note={verifier().exit_code ? `exit code ${verifier().exit_code}` : undefined}>
            <Show when={verifier().output !== ''} fallback={<p class="text-muted">The verifier wrote nothing.</p>}>
              <LogText log={verifier().output} label={named('Verifier')} />
            </Show>
          </Section>
        )}
      </Show>
    </>
  )
}

function LeftRunning(props: { left: NonNullable<GradedStep['left_running']> }) {
  const words = () =>
    props.left.needed === null
      ? 'ran while it was tested'
      : props.left.needed
        ? 'ran while it was tested, and the reward was less without'
        : 'ran while it was tested; the reward was the same without'
  return (
    <p class="mt-1 break-words text-s text-muted">
      Left running by the agent: <code>{props.left.commands.join(' · ')}</code> {words()}.
    </p>
  )
}

const endWords: Record<AgentEnd, string> = {
  completed: 'said that it is done',
  timeout: 'ran out of time; what it had done was graded',
  'turn-limit': 'met its limit of turns; what it had done was graded',
  limit: 'met a limit of the run; what it had done was graded',
  'context-exhausted': 'ran out of context; what it had done was graded',
  failed: 'failed; what it had done was graded',
  skipped: 'was not asked: an earlier step ended the task',
}

const phaseTitles: Record<Phase['name'], string> = {
  image: 'Image',
  start: 'Start',
  install: 'Installing the agent',
  setup: 'Set-up',
  agent: 'Agent',
  'hand-over': 'Hand-over',
  verifier: 'Verifier',
}

function PhaseLine(props: { phase: Phase }) {
  return (
    <li class="flex justify-between gap-4 border-b border-line py-1 text-s">
      <span>
        {phaseTitles[props.phase.name]}
        {props.phase.step === null ? '' : ` of ${props.phase.step}`}
      </span>
      <span class="num">{duration(props.phase.took_ms)}</span>
    </li>
  )
}
