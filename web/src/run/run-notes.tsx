import { useSearchParams } from '@solidjs/router'
import { For, type JSX, Switch } from 'solid-js'
import type { Run } from '#shared/contract/api.ts'
import { isTerminal, type RunHead } from '#shared/contract/run.ts'
import { arrivingText } from '#shared/run/arriving-text.ts'
import { adviceOn } from '#shared/run/failure-advice.ts'
import { unaskedNote } from '#shared/run/partial-note.ts'
import { leftText, retryCount } from '#shared/run/retry-count.ts'
import { itemsPath } from '../paths.ts'
import { count, percent } from '../ui/format.ts'
import { Note } from '../ui/note.tsx'
import { Match, Show } from '../ui/show.tsx'

/** Why a run ended short of its plan; nothing for one that did not. */
export function EndNote(props: { run: Run; head: RunHead; fallback?: JSX.Element }) {
  const again = () => retryCount(props.head).again
  // Of a single benchmark only: bounds of a mean would need every benchmark's own.
  const bounds = () => {
    const one = props.run.benchmarks.length === 1 ? props.run.benchmarks[0]! : undefined
    if (!one || one.worst_case === null || one.best_case === null) return undefined
    return `Counted as wrong the failures would make it ${percent(one.worst_case)}, counted as right ${percent(one.best_case)}.`
  }
  return (
    <Switch fallback={props.fallback}>
      <Match when={isTerminal(props.head.status) && arrivingText(props.run)}>
        {(text) => (
          <Note calm title={`The run has ended as ${props.head.status}.`}>
            {text()}
          </Note>
        )}
      </Match>
      <Match when={props.head.status === 'canceled'}>
        <Note calm title={unaskedNote(props.head).title}>
          {unaskedNote(props.head).text}
        </Note>
      </Match>
      <Match when={isTerminal(props.head.status) && props.run.error_message}>
        {(message) => (
          <Note title={message()}>
            <Show when={bounds()}>{(text) => <p>{text()}</p>}</Show>
            <Show when={Object.keys(props.head.failures).length}>
              <p>
                What went wrong stands with each{' '}
                <a class="link" href={itemsPath(props.run.id, { outcome: 'failed' })}>
                  failed item
                </a>
                .
                <Show when={props.run.mine && again() > 0}>
                  {' '}
                  When the cause is mended, Retry asks {again() === 1 ? 'it' : 'them'} again; right and wrong answers stay as they are.
                </Show>
              </p>
              <Show when={props.run.mine}>
                <p class="empty:hidden">{leftText(retryCount(props.head))}</p>
              </Show>
            </Show>
          </Note>
        )}
      </Match>
    </Switch>
  )
}

/** The failures of a run by class, each leading to its items. */
export function FailureClasses(props: { run: Run; head: RunHead }) {
  const [search] = useSearchParams()
  const adviceOf = (name: string) => adviceOn(name, props.head.causes?.[name])
  const classes = () => Object.entries(props.head.failures).sort((a, b) => b[1] - a[1])
  return (
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
        <ul class="w-full text-s text-muted empty:hidden">
          <For each={classes().filter(([name]) => adviceOf(name))}>
            {([name]) => (
              <li>
                <Show when={classes().length > 1}>
                  <code>{name}</code>:{' '}
                </Show>
                {adviceOf(name)}
              </li>
            )}
          </For>
        </ul>
      </section>
    </Show>
  )
}
