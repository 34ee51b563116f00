import { createSignal, For } from 'solid-js'
import { type AgentList, Done } from '#shared/contract/api.ts'
import { type ApiProblem, send } from '../api.ts'
import { age } from '../ui/format.ts'
import { Note } from '../ui/note.tsx'
import { ProblemNote } from '../ui/problem.tsx'
import { Show } from '../ui/show.tsx'

/** For the operator: who came under a name that is another agent's, and how to let him in where he is the same agent after all. */
export function RefusedNames(props: { refused: AgentList['refused']; now: number; changed: () => void }) {
  const [problem, setProblem] = createSignal<ApiProblem>()
  const forget = async (agent_id: string) => {
    const answer = await send(Done, `/api/agents/${encodeURIComponent(agent_id)}`, {}, { method: 'DELETE' })
    setProblem(answer.ok ? undefined : answer.problem)
    props.changed()
  }
  return (
    <>
      <For each={props.refused}>
        {(one) => (
          <Note title={`Another agent came as ${one.agent_id} and was refused`}>
            From {one.host}, {age(one.at, props.now)}
            {one.times > 1 ? `, ${one.times} times` : ''}. A name belongs to the agent that first had it. Give the other one its own{' '}
            <code>--name</code>; if it is the same agent with a new data directory,{' '}
            <button type="button" class="link" onClick={() => forget(one.agent_id)}>
              free the name
            </button>
            .
          </Note>
        )}
      </For>
      <Show when={problem()}>{(got) => <ProblemNote problem={got()} />}</Show>
    </>
  )
}
