import { useSearchParams } from '@solidjs/router'
import { For, Match, Show, Switch } from 'solid-js'
import type { Run } from '#shared/contract/api.ts'
import { isTerminal, type RunHead } from '#shared/contract/run.ts'
import { unaskedNote } from '#shared/run/partial-note.ts'
import { leftText, retryCount } from '#shared/run/retry-count.ts'
import { itemsPath } from '../paths.ts'
import { count, percent } from '../ui/format.ts'
import { Note } from '../ui/note.tsx'

/** What needs somebody's attention: why the run ended short, and its failures by class. */
export function RunNotes(props: { run: Run; head: RunHead }) {
  const [search] = useSearchParams()
  const classes = () => Object.entries(props.head.failures).sort((a, b) => b[1] - a[1])
  // Of a single benchmark only: bounds of a mean would need every benchmark's own.
  const bounds = () => {
    const one = props.run.benchmarks.length === 1 ? props.run.benchmarks[0]! : undefined
    if (!one || one.worst_case === null || one.best_case === null) return undefined
    return `Counted as wrong the failures would make it ${percent(one.worst_case)}, counted as right ${percent(one.best_case)}.`
  }
  return (
    <>
      <Switch>
        <Match when={props.head.status === 'canceled'}>
          <Note calm title={unaskedNote(props.head).title}>
            {unaskedNote(props.head).text}
          </Note>
        </Match>
        <Match when={isTerminal(props.head.status) && props.run.error_message}>
          {(message) => (
            <Note title={message()}>
              <Show when={bounds()}>{(text) => <p>{text()}</p>}</Show>
              <Show when={props.run.mine && classes().length}>
                <Show when={retryCount(props.head).again > 0}>
                  <p>Retry asks failed trials again under a new attempt; right and wrong answers stay as they are.</p>
                </Show>
                <p class="empty:hidden">{leftText(retryCount(props.head))}</p>
              </Show>
            </Note>
          )}
        </Match>
      </Switch>
      <Show when={classes().length}>
        <section class="flex flex-wrap items-center gap-2" aria-label="Failures by class">
          <span class="eyebrow">Failures, not counted as wrong</span>
          <For each={classes()}>
            {([name, times]) => (
              <a
                class={`chip hover:text-ink ${search.failure === name ? 'chip-on' : ''}`}
                href={itemsPath(props.run.id, { failure: name })}
                aria-current={search.failure === name ? 'true' : undefined}
              >
                <code class="text-papaya">{name}</code>
                {count(times)}
              </a>
            )}
          </For>
        </section>
      </Show>
    </>
  )
}
