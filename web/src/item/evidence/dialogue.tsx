import { createMemo, For } from 'solid-js'
import { assertionWords, type Change, type DialogueParty, dialogueEndWords } from '#shared/contract/evidence/dialogue.ts'
import { answerCutFlag, type EvidenceOf, evidenceName } from '#shared/contract/evidence/evidence.ts'
import type { TrialRecord } from '#shared/contract/trial.ts'
import { count } from '../../ui/format.ts'
import { Section } from '../../ui/section.tsx'
import { Show } from '../../ui/show.tsx'
import { Fold } from '../fold.tsx'
import { PlainText } from '../markdown-text.tsx'
import { type Exchange, exchangesOf, netChanges } from './dialogue-exchanges.ts'

type Evidence = EvidenceOf<'dialogue'>
const partyTitles: Record<DialogueParty, string> = { assistant: 'Agent', user: 'User' }
const dataOf: Record<DialogueParty, string> = { assistant: 'company', user: 'phone' }

/** What came of a dialogue, what it changed on both sides, and its turns with their calls folded. */
export function DialogueView(props: { evidence: Evidence; record: TrialRecord }) {
  const changes = createMemo(() => netChanges(props.evidence.turns))
  return (
    <>
      <OutcomeSection evidence={props.evidence} />
      <Section
        title="Changed"
        note={props.record.flags.includes(answerCutFlag) ? `the beginning; all of it is in ${evidenceName}` : undefined}
      >
        <Show when={changes().length > 0} fallback={<p class="text-muted">No call changed anything for good.</p>}>
          <ChangeList changes={changes()} />
        </Show>
      </Section>
      <Section title="Dialogue">
        <ol class="flex flex-col gap-3">
          <For each={exchangesOf(props.evidence.turns)}>{(exchange) => <ExchangeView exchange={exchange} />}</For>
        </ol>
      </Section>
    </>
  )
}

function OutcomeSection(props: { evidence: Evidence }) {
  const far = () => {
    const { steps, errors, most } = props.evidence
    return `${count(steps)} of ${count(most.steps)} steps, ${count(errors)} of ${count(most.errors)} failed calls`
  }
  return (
    <Section title="Outcome">
      <p class={props.evidence.end === 'user-stop' ? '' : 'text-papaya'}>
        {sentence(dialogueEndWords[props.evidence.end])}: {far()}.
      </p>
      <Show when={props.evidence.assertions} fallback={<p class="mt-1 text-s text-muted">Nothing was evaluated, so the reward is 0.</p>}>
        {(assertions) => (
          <ul class="mt-2">
            <For each={assertions()}>
              {(check) => (
                <li class="flex gap-2 py-0.5 text-s">
                  <span class={`shrink-0 ${check.held ? 'text-moss' : 'text-papaya'}`}>{check.held ? '✓ held' : '✗ did not hold'}</span>
                  <code class="min-w-0 break-words">{assertionWords(check)}</code>
                </li>
              )}
            </For>
          </ul>
        )}
      </Show>
      <For each={props.evidence.broken}>
        {(why) => <p class="mt-1 break-words text-s text-muted">An earlier try was begun anew, broken {why}.</p>}
      </For>
    </Section>
  )
}

function ExchangeView(props: { exchange: Exchange }) {
  const agent = () => props.exchange.party === 'assistant'
  return (
    <li class={`min-w-0 border-l-2 pl-3 ${agent() ? 'border-moss-fill' : 'border-line-strong'}`}>
      <p class="eyebrow mb-1">{partyTitles[props.exchange.party]}</p>
      <Show when={props.exchange.text.trim() !== ''}>
        <Show when={props.exchange.calls.length > 0}>
          <p class="text-s text-faint">Beside a call, so nobody was told:</p>
        </Show>
        <Fold label="Show all of it">
          <PlainText text={props.exchange.text} />
        </Fold>
      </Show>
      <For each={props.exchange.calls}>{(call) => <CallView call={call} />}</For>
    </li>
  )
}

function CallView(props: { call: Exchange['calls'][number] }) {
  const result = () => props.call.result
  return (
    <div class="mt-1 min-w-0">
      <details class="group min-w-0">
        <summary class="list-none text-s hover:text-ink [&::-webkit-details-marker]:hidden">
          <span class="mr-2 inline-block text-faint group-open:rotate-90">›</span>
          <code class="break-words">{props.call.name}</code>
          <Show when={result()?.error}>
            <span class="ml-2 text-papaya">failed</span>
          </Show>
          <span class="ml-2 break-words text-muted">{firstLine(result()?.content ?? 'its result lies with the whole dialogue')}</span>
        </summary>
        <div class="mt-1 pl-4">
          <p class="text-s text-faint">Arguments</p>
          <pre class="font-mono text-s leading-5 break-words whitespace-pre-wrap">{props.call.written}</pre>
          <p class="mt-1 text-s text-faint">Result</p>
          <pre class="font-mono text-s leading-5 break-words whitespace-pre-wrap">{result()?.content ?? ''}</pre>
        </div>
      </details>
      <Show when={result()?.changes.length}>
        <div class="pl-4">
          <ChangeList changes={result()?.changes ?? []} />
        </div>
      </Show>
    </div>
  )
}

function ChangeList(props: { changes: readonly Change[] }) {
  return (
    <ul>
      <For each={props.changes}>
        {({ party, path, before, after }) => (
          <li class="text-s break-words text-muted">
            <span class="text-faint">{dataOf[party]}</span> <code>{path}</code> {shown(before)} →{' '}
            <span class="text-ink">{shown(after)}</span>
          </li>
        )}
      </For>
    </ul>
  )
}

const sentence = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1)
const shown = (value: Change['before']): string => (value === null ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value))
const firstLine = (text: string): string => {
  const line = text.split('\n', 1)[0] ?? ''
  return line.length > 90 ? `${line.slice(0, 89)}…` : line
}
