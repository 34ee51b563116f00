import { createSignal } from 'solid-js'
import { Run } from '#shared/contract/api.ts'
import { type ApiProblem, send } from '../api.ts'
import { ProblemNote } from '../ui/problem.tsx'
import { Show } from '../ui/show.tsx'

type Props = { runs: readonly Run[]; ids: ReadonlySet<string>; only: () => void; clear: () => void; changed: () => void }

/** What can be done with selected runs: look at them alone, and, with one's own, name and tag them. */
export function SelectedRuns(props: Props) {
  const [problem, setProblem] = createSignal<ApiProblem>()
  const mine = () => props.runs.filter((run) => props.ids.has(run.id) && run.mine)
  const one = () => (props.ids.size === 1 ? mine()[0] : undefined)
  const patch = async (bodies: { id: string; body: object }[]) => {
    setProblem(undefined)
    for (const { id, body } of bodies) {
      const answer = await send(Run, `/api/runs/${id}`, body, { method: 'PATCH' })
      if (!answer.ok) return void setProblem(answer.problem)
    }
    props.changed()
  }
  const tag = (text: string) => patch(mine().map((run) => ({ id: run.id, body: { tags: [...run.tags, text] } })))
  return (
    <section
      aria-label="Selected runs"
      class="box sticky bottom-16 z-20 mt-3 flex flex-wrap items-center gap-2 px-4 py-2 shadow-box sm:bottom-2"
    >
      <span class="font-medium">{props.ids.size} selected</span>
      <button type="button" class="btn" onClick={() => props.only()}>
        Show only these
      </button>
      <Show when={mine().length > 0}>
        <Word label="Tag" of={`${mine().length} of yours`} submit={tag} />
      </Show>
      <Show when={one()} keyed>
        {(run) => <Word label="Name" value={run.name ?? ''} submit={(name) => patch([{ id: run.id, body: { name: name || null } }])} />}
      </Show>
      <button type="button" class="btn ml-auto" onClick={() => props.clear()}>
        Select none
      </button>
      <Show when={problem()}>{(got) => <ProblemNote problem={got()} />}</Show>
    </section>
  )
}

function Word(props: { label: string; of?: string; value?: string; submit: (text: string) => void }) {
  return (
    <form
      class="flex items-center gap-1.5"
      onSubmit={(event) => {
        event.preventDefault()
        const field = new FormData(event.currentTarget).get('word')
        const text = typeof field === 'string' ? field.trim() : ''
        if (text !== '' || props.value) props.submit(text)
        if (props.value === undefined) event.currentTarget.reset()
      }}
    >
      <label class="flex items-center gap-1.5 text-s text-muted">
        {props.label}
        <input
          name="word"
          class="field w-36"
          maxlength={props.value === undefined ? 40 : 120}
          value={props.value ?? ''}
          placeholder={props.of}
        />
      </label>
      <button type="submit" class="btn">
        Save
      </button>
    </form>
  )
}
