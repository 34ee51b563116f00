import { Choice } from '../ui/filter-fields.tsx'
import { Show } from '../ui/show.tsx'
import { useTeams } from './team-queries.ts'

/** Narrows a list to the things of one team. Renders nothing for people without a team. */
export function TeamFilter(props: { team: string | undefined; set: (team: string | undefined) => void }) {
  const teams = useTeams()
  return (
    <Show when={teams().length > 0}>
      <Choice
        label="Team"
        value={props.team}
        options={teams().map(({ id, name }) => [id, name] as const)}
        all="everybody’s"
        set={props.set}
      />
    </Show>
  )
}
