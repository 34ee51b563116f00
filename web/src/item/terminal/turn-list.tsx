import { For } from 'solid-js'
import { count } from '../../ui/format.ts'
import { Show } from '../../ui/show.tsx'
import { PlainText } from '../markdown-text.tsx'
import type { Turn } from './turns.ts'

type Props = {
  turns: readonly Turn[]
  /** The number of the turn that is shown, as the recording's mark has it. */
  current: string | null
  open(number: number): void
}

/** The turns of a model at a terminal; one that is opened is gone to in the recording. */
export function TurnList(props: Props) {
  return (
    <div class="mt-4">
      <h4 class="mb-1 text-s text-muted">{count(props.turns.length)} turns: what the model said, typed and saw</h4>
      <ol class="max-h-[32rem] divide-y divide-line overflow-y-auto rounded-box border border-line">
        <For each={props.turns}>
          {(turn) => (
            <li class={`px-3 py-2 text-s ${props.current === String(turn.number) ? 'bg-raised' : ''}`}>
              <button
                type="button"
                class="link font-medium"
                aria-current={props.current === String(turn.number) ? 'step' : undefined}
                onClick={() => props.open(turn.number)}
              >
                Turn {count(turn.number)}
              </button>
              <span class="ml-2 text-muted">{summaryOf(turn)}</span>
              <For each={turn.keys}>
                {(one) => (
                  <pre class="mt-1 break-words whitespace-pre-wrap">
                    {keysText(one.keystrokes)}
                    <Show when={one.duration !== null}>
                      <span class="text-faint"> · {one.duration} s</span>
                    </Show>
                  </pre>
                )}
              </For>
              <details class="mt-1">
                <summary class="text-muted hover:text-ink">What it said and saw</summary>
                <div class="mt-2 ml-2 border-l border-line pl-3">
                  <PlainText text={turn.said === '' ? 'Nothing came of the model.' : turn.said} lines={12} />
                  <h5 class="mt-2 mb-1 text-muted">Then on its screen</h5>
                  <PlainText text={turn.saw === '' ? 'Nothing was looked at.' : turn.saw} lines={12} />
                </div>
              </details>
            </li>
          )}
        </For>
      </ol>
    </div>
  )
}

function summaryOf({ keys, done, unreadable }: Turn): string {
  if (unreadable) return 'its reply could not be read'
  const typed = keys.length === 0 ? 'nothing typed' : `${count(keys.length)} ${keys.length === 1 ? 'command' : 'commands'}`
  return done ? `${typed}, says that it is done` : typed
}

/** Keys with their line ends and controls to be seen. */
function keysText(keys: string): string {
  const shown = keys.replace(/[\u0000-\u0009\u000b-\u001f]/g, (char) => `^${String.fromCharCode(char.charCodeAt(0) + 64)}`)
  return shown === '' ? '(no keys)' : shown.replace(/\n$/, ' ⏎')
}
