import { A, createAsync, revalidate } from '@solidjs/router'
import { onCleanup, onMount, Show } from 'solid-js'
import type { RunHead } from '#shared/contract/run.ts'
import { agentCommands } from '../fleet/agent-commands.ts'
import { getStatus } from '../queries.ts'
import { CopyButton } from '../ui/copy.tsx'
import { Note } from '../ui/note.tsx'
import { useNow } from '../ui/now.ts'
import { origin } from '../ui/origin.ts'

const pollMs = 5000
const patienceMs = 4000

/** Why a run that should move does not: no agent is there, or one is there and has not begun. Shown while nothing is in flight. */
export function WaitingNote(props: { head: RunHead }) {
  const status = createAsync(() => getStatus())
  const agents = () => {
    const got = status.latest
    return got?.ok ? got.value.agents : undefined
  }
  const local = () => {
    const got = status.latest
    return got?.ok === true && got.value.local
  }
  const now = useNow(1000)
  const mine = () => Object.keys(props.head.agents).length
  const old = () => now() - Date.parse(props.head.started_at ?? props.head.created_at) > patienceMs
  onMount(() => {
    const timer = setInterval(() => document.hidden || void revalidate(getStatus.key), pollMs)
    onCleanup(() => clearInterval(timer))
  })
  return (
    <Show when={agents() === 0} fallback={<Show when={old() && agents() !== undefined}>{<Busy joined={mine() > 0} />}</Show>}>
      <NoAgent local={local()} />
    </Show>
  )
}

function NoAgent(props: { local: boolean }) {
  const commands = () => agentCommands(origin(), props.local)
  return (
    <Note title="The run waits for an agent: none is connected.">
      <p>
        The operator starts one in a clone of the repository with this command; the run then goes on by itself, and nothing is lost. The
        command needs the agent token. {commands().token}
      </p>
      <div class="mt-2 flex flex-wrap items-center gap-2">
        <code class="rounded-[4px] bg-raised px-2 py-1 break-all text-ink">{commands().clone}</code>
        <CopyButton text={commands().clone} label="Copy" />
      </div>
    </Note>
  )
}

function Busy(props: { joined: boolean }) {
  return (
    <Note
      calm
      title={
        props.joined
          ? 'An agent has joined and is getting ready.'
          : 'The run waits for its turn: an agent is connected and has not taken it yet.'
      }
    >
      <Show when={props.joined} fallback="It begins by itself as soon as slots are free.">
        It fetches the data set and the wording before the first question. Should that fail, the run is parked and the reason stands here.
      </Show>{' '}
      <A href="/agents" class="link">
        Look at the fleet
      </A>
    </Note>
  )
}
