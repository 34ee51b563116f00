import { For } from 'solid-js'
import type { Preflight, PreflightState } from '#shared/contract/preflight.ts'
import type { PlannedBenchmark } from '#shared/contract/run.ts'
import { type PreflightLine, preflightLines } from '#shared/run/preflight-text.ts'
import { costText, untoldText } from '#shared/run/spent-text.ts'
import { FactList } from '../ui/fact-list.tsx'
import { moment, short, usd } from '../ui/format.ts'
import { Show } from '../ui/show.tsx'

const marks: Record<PreflightLine['tone'], { sign: string; word: string; class: string }> = {
  good: { sign: '✓', word: 'found', class: 'text-moss' },
  note: { sign: '!', word: 'note', class: 'text-papaya' },
  bad: { sign: '✕', word: 'stops the run', class: 'text-papaya' },
}

/** What an agent found at the endpoints before the first trial: one line, and all of it where it is opened. Its height is the same before and after. */
export function PreflightBox(props: { state: PreflightState; benchmarks: readonly PlannedBenchmark[] }) {
  const lines = () => (props.state.found ? preflightLines(props.state.found, props.benchmarks) : [])
  const worst = () => lines().find(({ tone }) => tone === 'bad') ?? lines()[0]
  const notes = () => lines().filter(({ tone }) => tone === 'note').length
  const again = () => props.state.found && props.state.found.round !== props.state.round
  return (
    <details class="box group">
      <summary class="flex list-none items-baseline px-4 py-2.5 text-muted hover:text-ink [&::-webkit-details-marker]:hidden">
        <span class="mr-2 inline-block text-faint group-open:rotate-90">›</span>
        <span class="min-w-0 flex-1 truncate">
          Pre-flight:{' '}
          <Show when={worst()} fallback="before the first trial an agent looks at the endpoint.">
            {(line) => line().text}
          </Show>
        </span>
        <Show when={again()}>
          <span class="ml-3 shrink-0 text-faint">looked at again</span>
        </Show>
        <Show when={notes() > 0}>
          <span class="ml-3 shrink-0 text-papaya">{notes() === 1 ? '1 note' : `${notes()} notes`}</span>
        </Show>
      </summary>
      <div class="grid gap-4 border-t border-line p-4 lg:grid-cols-2">
        <Show when={props.state.found} fallback={<p class="text-muted">Nothing has been found yet.</p>}>
          {(found) => <Found found={found()} state={props.state} lines={lines()} />}
        </Show>
      </div>
    </details>
  )
}

function Found(props: { found: Preflight; state: PreflightState; lines: PreflightLine[] }) {
  const facts = (): [string, string][] => {
    const { usage } = props.state.spent
    const said = (of: 'server' | 'system_fingerprint' | 'model_reported') =>
      [...new Set(props.found.calls.flatMap((call) => call[of] ?? []))].join(', ')
    return [
      ['When', moment(props.found.at)],
      ['By agent', props.found.agent_id],
      [
        'It took',
        `${short(usage.input_tokens)} → ${short(usage.output_tokens)} tokens, ${[costText(props.state.spent, usd, 'cost unknown'), untoldText(usage)].filter(Boolean).join(', ')}`,
      ],
      ['Model, as told', said('model_reported') || 'not told'],
      ['Fingerprint', said('system_fingerprint') || 'not told'],
      ['Server', said('server') || 'not told'],
    ]
  }
  return (
    <>
      <ul class="grid content-start gap-1">
        <For each={props.lines}>
          {(line) => (
            <li class="flex gap-2">
              <span class={`w-4 shrink-0 text-center ${marks[line.tone].class}`} role="img" aria-label={marks[line.tone].word}>
                {marks[line.tone].sign}
              </span>
              <span class="min-w-0 break-words">{line.text}</span>
            </li>
          )}
        </For>
      </ul>
      <FactList facts={facts()} />
    </>
  )
}
