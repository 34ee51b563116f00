import { A, createAsync, revalidate } from '@solidjs/router'
import { For, onCleanup, onMount } from 'solid-js'
import { forecastText } from '#shared/run/forecast-text.ts'
import { pendingText, reasonText } from '#shared/run/pending-text.ts'
import { getPending } from '../queries.ts'
import { Note } from '../ui/note.tsx'
import { useNow } from '../ui/now.ts'
import { Show } from '../ui/show.tsx'

const pollMs = 5000

/** Why a run that should move does not: who holds the resources it needs, or which agent lacks. Shown while no agent works on it. */
export function WaitingNote(props: { run_id: string }) {
  const answer = createAsync(() => getPending(props.run_id))
  const pending = () => {
    const got = answer.latest
    return got?.ok ? got.value : undefined
  }
  onMount(() => {
    const timer = setInterval(() => document.hidden || void revalidate(getPending.keyFor(props.run_id)), pollMs)
    onCleanup(() => clearInterval(timer))
  })
  const told = () => pendingText(pending())
  const now = useNow(pollMs)
  const expected = () => {
    const forecast = pending()?.forecast
    return forecast ? sentence(forecastText(forecast, now())) : ''
  }
  const others = () => (pending()?.given === 0 ? (pending()?.reasons.slice(1) ?? []) : [])
  return (
    <Note calm={told().calm} title={told().title}>
      {told().text} {expected()}{' '}
      <A href="/agents" class="link">
        {told().calm ? 'Look at the fleet' : 'How to start one'}
      </A>
      <Show when={others().length > 0}>
        <ul class="mt-1 list-disc pl-4">
          <For each={others()}>{(reason) => <li>{reasonText(reason)}.</li>}</For>
        </ul>
      </Show>
    </Note>
  )
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
