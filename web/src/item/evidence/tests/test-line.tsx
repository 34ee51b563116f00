import { For } from 'solid-js'
import type { TestEnd, TestResult } from '#shared/contract/evidence/tests.ts'
import { duration } from '../../../ui/format.ts'
import { Show } from '../../../ui/show.tsx'
import { PlainText } from '../../markdown-text.tsx'
import { diffLines } from './diff-lines.ts'

const endWords: Record<TestEnd, string> = {
  passed: 'passed',
  failed: 'wrong result',
  error: 'the program broke',
  timeout: 'took too long',
  'out-of-memory': 'needed too much memory',
  'output-limit': 'printed too much',
  'disk-full': 'wrote too much',
  denied: 'could not be started',
  'not-run': 'did not run',
}

/** One test: its name and end, and when opened what it was given, should have given and gave. */
export function TestLine(props: { test: TestResult; open: boolean }) {
  const told = () => [props.test.input, props.test.expected, props.test.got, props.test.message].some((text) => text)
  return (
    <Show when={told()} fallback={<Heading test={props.test} />}>
      <details open={props.open} class="group">
        <summary class="list-none hover:bg-raised [&::-webkit-details-marker]:hidden">
          <Heading test={props.test} />
        </summary>
        <div class="grid gap-2 py-2 pl-6">
          <Show when={props.test.message}>{(text) => <PlainText text={text()} lines={8} />}</Show>
          <Show when={props.test.input}>{(text) => <Labelled label="Given" text={text()} />}</Show>
          <Show
            when={props.test.end === 'failed' && props.test.expected != null && props.test.got != null}
            fallback={
              <>
                <Show when={props.test.expected}>{(text) => <Labelled label="Expected" text={text()} />}</Show>
                <Show when={props.test.got}>{(text) => <Labelled label="Came out" text={text()} />}</Show>
              </>
            }
          >
            <Difference expected={props.test.expected ?? ''} got={props.test.got ?? ''} />
          </Show>
        </div>
      </details>
    </Show>
  )
}

function Heading(props: { test: TestResult }) {
  const passed = () => props.test.end === 'passed'
  return (
    <span class="flex items-baseline gap-2 py-0.5">
      <span aria-hidden="true" class={`w-4 shrink-0 text-center ${passed() ? 'text-moss' : 'text-papaya'}`}>
        {passed() ? '✓' : props.test.end === 'not-run' ? '–' : '✗'}
      </span>
      <span class="min-w-0 flex-1 break-words">{props.test.name}</span>
      <span class={`text-s whitespace-nowrap ${passed() ? 'text-muted' : 'text-papaya'}`}>{endWords[props.test.end]}</span>
      <Show when={props.test.took_ms !== null}>
        <span class="w-16 text-right text-s whitespace-nowrap text-faint">{duration(props.test.took_ms ?? 0)}</span>
      </Show>
    </span>
  )
}

function Labelled(props: { label: string; text: string }) {
  return (
    <div>
      <div class="text-s text-faint">{props.label}</div>
      <PlainText text={props.text} lines={8} />
    </div>
  )
}

const marks = { both: ' ', expected: '−', got: '+' } as const

function Difference(props: { expected: string; got: string }) {
  return (
    <div>
      <div class="text-s text-faint">
        <span class="text-moss">− expected</span> <span class="text-papaya">+ came out</span>
      </div>
      <section tabindex="0" aria-label="Difference" class="max-h-96 overflow-auto font-mono text-s leading-5">
        <For each={diffLines(props.expected, props.got)}>
          {(line) => (
            <div class={`flex gap-2 px-1 ${line.in === 'expected' ? 'bg-moss-soft' : line.in === 'got' ? 'bg-papaya-soft' : 'text-muted'}`}>
              <span class="select-none">{marks[line.in]}</span>
              <span class="min-w-0 break-words whitespace-pre-wrap">{line.text}</span>
            </div>
          )}
        </For>
      </section>
    </div>
  )
}
