import { For, Switch } from 'solid-js'
import type { Run } from '#shared/contract/api.ts'
import { isTerminal, type RunHead } from '#shared/contract/run.ts'
import { aged } from '#shared/run/pulse.ts'
import { pulseLines } from '#shared/run/pulse-text.ts'
import type { Live } from '../live-state.ts'
import { AwayNote } from '../ui/away-note.tsx'
import { count } from '../ui/format.ts'
import { Note } from '../ui/note.tsx'
import { useNow } from '../ui/now.ts'
import { Match, Show } from '../ui/show.tsx'
import { ParkedNote } from './parked-note.tsx'
import { EndNote } from './run-notes.tsx'
import { WaitingNote } from './waiting-note.tsx'

/**
 * What goes on in a run that has not ended, or why it stands still: always one note, in room that is kept for it, so that nothing below moves
 * while one state follows another. A page that has lost the stream says since when, and claims nothing else.
 */
export function RunNow(props: { run: Run; head: RunHead; live: Live; changed: () => void }) {
  const left = () => props.head.total - props.head.done
  // Leases are not streamed; agents that join and leave are.
  const idle = () => props.head.status === 'queued' || Object.keys(props.head.agents).length === 0
  return (
    <div class="min-h-[4.25rem] *:min-h-[4.25rem] max-sm:min-h-[7.75rem] max-sm:*:min-h-[7.75rem]">
      <Switch fallback={<Working run={props.run} head={props.head} live={props.live} />}>
        <Match when={isTerminal(props.head.status)}>
          <EndNote
            run={props.run}
            head={props.head}
            fallback={
              <Note calm title={`The run has ended with ${count(props.head.done)} of ${count(props.head.total)} trials done.`}>
                {isTerminal(props.run.head.status)
                  ? 'All of its results are in the record.'
                  : 'Its last results may still be on their way to the record; exports wait for them.'}
              </Note>
            }
          />
        </Match>
        <Match when={props.live.connection === 'waiting'}>
          <AwayNote sinceMs={props.live.lost_at_ms ?? Date.now()}>The run does not need this page: it goes on without it.</AwayNote>
        </Match>
        <Match when={props.head.parked}>
          {(parked) => <ParkedNote run={props.run} head={props.head} parked={parked()} changed={props.changed} />}
        </Match>
        <Match when={props.head.status === 'paused'}>
          <Note calm title={`Paused, with ${count(left())} of ${count(props.head.total)} trials left.`}>
            Nothing new is asked until its owner resumes it. Answers already on their way are kept and count.
          </Note>
        </Match>
        <Match when={idle()}>
          <WaitingNote run_id={props.run.id} />
        </Match>
      </Switch>
    </div>
  )
}

/** What the agents do, in sentences that go on by themselves between two messages. */
function Working(props: { run: Run; head: RunHead; live: Live }) {
  const now = useNow(1000)
  const told = () => props.live.pulse ?? (props.run.pulse ? { pulse: props.run.pulse, at_ms: now() } : null)
  const lines = () => {
    const last = told()
    if (!last) return []
    const elapsed = Math.max(0, now() - last.at_ms)
    const models = last.pulse.models.map((model) => aged(model, elapsed))
    return pulseLines({ ...last.pulse, models }, props.run.spec.model)
  }
  const agents = () => Object.keys(props.head.agents).length
  const rest = () => lines().slice(1)
  return (
    <Show
      when={lines()[0]}
      fallback={
        <Note calm title={`${count(agents())} ${agents() === 1 ? 'agent works' : 'agents work'} on it.`}>
          What they do just now is not known yet.
        </Note>
      }
    >
      {(first) => (
        <Note calm={!first().grave} title={`${first().text}.`} quiet>
          <Show when={first().words}>
            {(words) => (
              <p class="line-clamp-3">
                Its last words: <q class="break-words text-ink">{words()}</q>
              </p>
            )}
          </Show>
          <For each={rest()}>{(line) => <p class={line.grave ? 'text-papaya' : ''}>{line.text}.</p>}</For>
          <Show when={first().grave && !first().words && rest().length === 0}>
            <p>Nothing is lost: what waits is asked again, and a trial that cannot be asked ends as a failure, never as a wrong answer.</p>
          </Show>
        </Note>
      )}
    </Show>
  )
}
