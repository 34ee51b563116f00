import { revalidate } from '@solidjs/router'
import { createSignal } from 'solid-js'
import { TeamDetail } from '#shared/contract/team.ts'
import { getAudit } from '../account/account-queries.ts'
import { getSignIn } from '../account/sign-in-query.ts'
import { type ApiProblem, send } from '../api.ts'
import { RowForm } from '../ui/row-form.tsx'
import { getTeam, getTeams } from './team-queries.ts'

/** The form in which an admin gives a team another name. */
export function RenameTeam(props: { id: string; name: string; failed: (problem: ApiProblem | undefined) => void; done: () => void }) {
  const [name, setName] = createSignal(props.name)
  const rename = async () => {
    const renamed = await send(TeamDetail, `/api/teams/${encodeURIComponent(props.id)}`, { name: name() }, { method: 'PATCH' })
    props.failed(renamed.ok ? undefined : renamed.problem)
    if (!renamed.ok) return
    props.done()
    await revalidate([getTeam.keyFor(props.id), getTeams.key, getSignIn.key, getAudit.key])
  }
  return (
    <RowForm submit={rename}>
      <label class="grid min-w-40 flex-1 gap-1">
        <span class="text-s text-muted">Name of the team</span>
        <input
          class="field w-full min-w-0"
          value={name()}
          maxlength="80"
          required
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="btn">
        Save the name
      </button>
    </RowForm>
  )
}
