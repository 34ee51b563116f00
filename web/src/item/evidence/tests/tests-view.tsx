import { For } from 'solid-js'
import type { EvidenceOf } from '#shared/contract/evidence/evidence.ts'
import { partPassed, type TestedPart } from '#shared/contract/evidence/tests.ts'
import type { TrialRecord } from '#shared/contract/trial.ts'
import { count, duration } from '../../../ui/format.ts'
import { Section } from '../../../ui/section.tsx'
import { Show } from '../../../ui/show.tsx'
import { CompletionView } from '../completion.tsx'
import { CodeText } from './code-text.tsx'
import { LogText } from './log-text.tsx'
import { TestLine } from './test-line.tsx'

/** The answer, then every program that it held with what its tests came to. */
export function TestsView(props: { evidence: EvidenceOf<'tests'>; record: TrialRecord }) {
  return (
    <>
      <CompletionView evidence={{ ...props.evidence, kind: 'completion' }} record={props.record} />
      <For each={props.evidence.parts}>{(part) => <PartView part={part} />}</For>
    </>
  )
}

function PartView(props: { part: TestedPart }) {
  const named = (title: string): string => (props.part.name === '' ? title : `${title}: ${props.part.name}`)
  const passed = () => props.part.tests.filter(({ end }) => end === 'passed').length
  const firstBad = () => props.part.tests.find(({ end }) => end !== 'passed')
  const facts = () => [
    `${count(passed())} of ${count(props.part.total)} tests passed`,
    duration(props.part.took_ms),
    ...(props.part.tested_with === undefined ? [] : [props.part.tested_with]),
    ...(props.part.memory_mb === null ? [] : [`${count(Math.ceil(props.part.memory_mb))} MB of memory`]),
  ]
  return (
    <>
      <Show when={props.part.patch}>
        {(patch) => (
          <Section title={named('Patch')}>
            <CodeText code={patch()} language="diff" />
          </Section>
        )}
      </Show>
      <Show when={props.part.program}>
        {(program) => (
          <Section title={named('Program')}>
            <CodeText code={program()} language={props.part.language} />
          </Section>
        )}
      </Show>
      <Show when={props.part.build}>
        {(build) => (
          <Section title={named('Build')} note={build().ok ? undefined : 'it could not be built'}>
            <Show when={build().output !== ''} fallback={<p class="text-muted">The compiler said nothing.</p>}>
              <LogText log={build().output} label={named('Build')} />
            </Show>
          </Section>
        )}
      </Show>
      <Section title={named('Tests')}>
        <p class={`mb-2 ${partPassed(props.part) ? 'text-moss' : 'text-papaya'}`}>{facts().join(' · ')}</p>
        <Show when={props.part.tests.length > 0} fallback={<p class="text-muted">No test ran: there was no program to run.</p>}>
          <section tabindex="0" aria-label={named('List of tests')} class="max-h-[40rem] overflow-auto">
            <For each={props.part.tests}>{(test) => <TestLine test={test} open={test === firstBad()} />}</For>
          </section>
        </Show>
        <Show when={props.part.tests.length < props.part.total && props.part.tests.length > 0}>
          <p class="mt-2 text-s text-muted">{count(props.part.total - props.part.tests.length)} more did not run after that.</p>
        </Show>
      </Section>
      <Show when={props.part.output}>
        <Section title={named('Output')}>
          <LogText log={props.part.output} label={named('Output')} />
        </Section>
      </Show>
    </>
  )
}
