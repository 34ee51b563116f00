import { For } from 'solid-js'
import { mayInTeam } from '#shared/contract/team-rights.ts'
import { Show } from '../ui/show.tsx'
import { useTeams } from './team-queries.ts'

type Props = {
  /** What is done, as in `Run for`. */
  verb?: string
  team: string | undefined
  choose: (team: string | undefined) => void
}

/** Chooses whose the run will be: one's own, or of a team where one's role suffices. Renders nothing for people without such a team. */
export function RunFor(props: Props) {
  const teams = useTeams()
  const offered = () => teams().filter(({ role }) => mayInTeam(role, 'work'))
  return (
    <Show when={offered().length > 0}>
      <label class="box flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5">
        <span class="font-semibold">{props.verb ?? 'Run'} for</span>
        <select class="field max-w-60" onChange={(event) => props.choose(event.currentTarget.value || undefined)}>
          <option value="" selected={!props.team}>
            yourself
          </option>
          <For each={offered()}>
            {({ id, name }) => (
              <option value={id} selected={id === props.team}>
                {name}
              </option>
            )}
          </For>
        </select>
        <Show when={props.team}>
          <span class="text-s text-muted">Its members read the run.</span>
        </Show>
      </label>
    </Show>
  )
}
