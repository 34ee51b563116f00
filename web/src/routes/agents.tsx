import { A, createAsync, revalidate } from '@solidjs/router'
import { For, onCleanup, onMount } from 'solid-js'
import type { AgentList } from '#shared/contract/api.ts'
import { agentState } from '#shared/run/agent-state.ts'
import { blocksText } from '#shared/run/blocks-text.ts'
import { resourcesText } from '#shared/run/needs-text.ts'
import { agentCommands } from '../fleet/agent-commands.ts'
import { RefusedNames } from '../fleet/refused-names.tsx'
import { getAgents, getStatus } from '../queries.ts'
import { CopyButton } from '../ui/copy.tsx'
import { age, count } from '../ui/format.ts'
import { createKept } from '../ui/kept.ts'
import { KeptProblem } from '../ui/kept-problem.tsx'
import { useNow } from '../ui/now.ts'
import { origin } from '../ui/origin.ts'
import { Page } from '../ui/page.tsx'
import { Show } from '../ui/show.tsx'

const refreshMs = 5000

/** The fleet: which agents there are, how full they are, and how to add one. */
export default function Fleet() {
  const answer = createAsync(() => getAgents())
  const kept = createKept(() => 'agents', answer)
  const list = () => kept().value
  const now = useNow(refreshMs)
  onMount(() => {
    const timer = setInterval(() => document.hidden || void revalidate(getAgents.key), refreshMs)
    onCleanup(() => clearInterval(timer))
  })
  /** Sessions of agents are told to operators alone. */
  const operates = () => list()?.agents.some(({ host }) => host !== null)
  const connected = () => list()?.agents.filter((agent) => agent.connected && !agent.silent) ?? []
  const silent = () => list()?.agents.filter((agent) => agent.silent).length ?? 0
  const sum = (key: 'slots' | 'running') => connected().reduce((total, agent) => total + agent[key], 0)
  return (
    <Page
      title="Fleet"
      actions={
        <Show when={operates()}>
          <A href="/ops" class="link">
            Operations
          </A>
        </Show>
      }
      lead={
        <Show when={list()}>
          {connected().length} connected, {count(sum('running'))} of {count(sum('slots'))} slots busy
          {silent() > 0 ? `; ${count(silent())} silent` : ''}
        </Show>
      }
    >
      <KeptProblem kept={kept()} />
      <RefusedNames refused={list()?.refused ?? []} now={now()} changed={() => void revalidate(getAgents.key)} />
      <Show
        when={list()?.agents.length}
        fallback={<Show when={list()}>{<p class="box p-6 text-muted">No agent has ever connected. Runs wait until one does.</p>}</Show>}
      >
        <AgentTable agents={list()!.agents} now={now()} />
      </Show>
      <AddAgent />
    </Page>
  )
}

function AgentTable(props: { agents: AgentList['agents']; now: number }) {
  return (
    <section class="box @container overflow-hidden" aria-label="Agents">
      <table class="w-full table-fixed [&_td]:pr-4 [&_th]:pr-4">
        <caption class="sr-only">Agents</caption>
        <thead class="text-s text-faint">
          <tr class="border-b border-line">
            <th scope="col" class="py-2 pl-4">
              Agent
            </th>
            <th scope="col" class="w-36 py-2 @max-2xl:w-24">
              State
            </th>
            <th scope="col" class="w-40 py-2 @max-2xl:w-24">
              Slots
            </th>
            <th scope="col" class="py-2 @max-2xl:hidden">
              Capabilities
            </th>
            <th scope="col" class="w-24 py-2 @max-2xl:hidden">
              Version
            </th>
            <th scope="col" class="w-32 py-2 pr-4 text-right @max-2xl:w-20">
              Last heartbeat
            </th>
          </tr>
        </thead>
        <tbody>
          <For each={props.agents}>
            {(agent) => (
              <tr class={`h-12 not-last:border-b border-line ${agent.connected ? '' : 'text-muted'}`}>
                <th scope="row" class="py-2 pl-4 font-normal">
                  <span class="font-medium [overflow-wrap:anywhere]">{agent.agent_id}</span>
                  <Show when={agent.host !== null && agent.host !== agent.agent_id}>
                    <span class="block text-s text-muted [overflow-wrap:anywhere]">{agent.host}</span>
                  </Show>
                  <span class="hidden text-s text-faint [overflow-wrap:anywhere] @max-2xl:block">
                    {agent.version} · {agent.capabilities.join(', ')}
                  </span>
                </th>
                <td class={`py-2 ${agent.silent ? 'text-papaya' : ''}`}>
                  {agentState(agent)}
                  <Show when={agent.connected && !agent.silent && blocksText(agent.blocks)}>
                    {(sentence) => (
                      <span class="block truncate text-s text-faint" title={sentence()}>
                        {sentence()}
                      </span>
                    )}
                  </Show>
                </td>
                <td class="pr-6">
                  <span class="text-s text-muted">
                    {count(agent.running)} of {count(agent.slots)}
                  </span>
                  <span class="mt-1 block h-1.5 overflow-hidden rounded-full bg-raised">
                    <span
                      class="block h-full bg-moss-fill"
                      style={{ width: `${agent.slots ? (agent.running / agent.slots) * 100 : 0}%` }}
                    />
                  </span>
                </td>
                <td class="py-2 @max-2xl:hidden">
                  <For each={agent.capabilities}>{(one) => <code class="mr-2 text-muted">{one}</code>}</For>
                  <Show when={agent.resources}>
                    {(resources) => <span class="block text-s text-faint">{resourcesText(resources())}</span>}
                  </Show>
                </td>
                <td class="text-muted @max-2xl:hidden">{agent.version}</td>
                <td class="pr-4 text-right whitespace-nowrap text-muted">
                  {agent.connected && !agent.silent ? 'now' : age(agent.last_seen, props.now)}
                </td>
              </tr>
            )}
          </For>
        </tbody>
      </table>
    </section>
  )
}

function AddAgent() {
  const status = createAsync(() => getStatus())
  const local = () => {
    const got = status()
    return got?.ok === true && got.value.local
  }
  const commands = () => agentCommands(origin(), local())
  return (
    <section class="box mt-5 max-w-3xl p-4">
      <h2 class="font-semibold">Add an agent</h2>
      <p class="mt-1 text-muted">
        An agent asks the models and scores the answers. It dials out to this server, so it needs no open port.{' '}
        {local() ? 'This service can only be reached from this machine.' : 'Start as many as you like, on any machine that reaches it.'}{' '}
        Runs that wait begin as soon as an agent connects.
      </p>
      <p class="mt-3 text-muted">
        In a clone of the repository, after <code>npm ci</code>, with the token in place of the dots. {commands().token}
      </p>
      <Command text={commands().clone} />
      <Show when={commands().container}>
        {(container) => (
          <>
            <p class="mt-3 text-muted">Or in a container, in the same clone:</p>
            <Command text={container()} />
          </>
        )}
      </Show>
      <p class="mt-3 text-s text-muted">
        See{' '}
        <A href="/docs" class="link">
          the API
        </A>{' '}
        for reading this page by program.
      </p>
    </section>
  )
}

function Command(props: { text: string }) {
  return (
    <div class="relative mt-2">
      <pre class="rounded-box bg-raised p-3 pr-24 [overflow-wrap:anywhere] whitespace-pre-wrap max-sm:pt-10 max-sm:pr-3">{props.text}</pre>
      <CopyButton text={props.text} label="Copy" class="absolute top-2 right-2" />
    </div>
  )
}
