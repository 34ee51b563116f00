import { A, createAsync, revalidate } from '@solidjs/router'
import { onCleanup, onMount } from 'solid-js'
import { waitsFor } from '#shared/run/waits-for.ts'
import { getStatus } from '../queries.ts'
import { Note } from '../ui/note.tsx'

const pollMs = 5000

/** Why a run that should move does not: no agent is there, none can be heard, or all are busy. Shown while no agent works on it. */
export function WaitingNote() {
  const status = createAsync(() => getStatus())
  const fleet = () => {
    const got = status.latest
    return got?.ok ? got.value : undefined
  }
  onMount(() => {
    const timer = setInterval(() => document.hidden || void revalidate(getStatus.key), pollMs)
    onCleanup(() => clearInterval(timer))
  })
  const told = () => waitsFor(fleet())
  return (
    <Note calm={told().calm} title={told().title}>
      {told().text}{' '}
      <A href="/agents" class="link">
        {told().calm ? 'Look at the fleet' : 'How to start one'}
      </A>
    </Note>
  )
}
