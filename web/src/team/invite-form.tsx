import { revalidate } from '@solidjs/router'
import { createSignal, For } from 'solid-js'
import { CreatedInvitation, invitationDays } from '#shared/contract/team.ts'
import { type TeamRole, teamRoles } from '#shared/contract/team-rights.ts'
import { getAudit } from '../account/account-queries.ts'
import { type ApiProblem, send } from '../api.ts'
import { CopyButton } from '../ui/copy.tsx'
import { Show } from '../ui/show.tsx'
import { roleWords } from './role-words.ts'
import { getTeam } from './team-queries.ts'

/** Makes an invitation and shows its link, once. */
export function InviteForm(props: { team: string; failed: (problem: ApiProblem | undefined) => void }) {
  const [role, setRole] = createSignal<TeamRole>('viewer')
  const [username, setUsername] = createSignal('')
  const [link, setLink] = createSignal<string>()
  const invite = async () => {
    const body = { role: role(), username: username().trim() || null }
    const made = await send(CreatedInvitation, `/api/teams/${encodeURIComponent(props.team)}/invitations`, body)
    props.failed(made.ok ? undefined : made.problem)
    setLink(made.ok ? made.value.link : undefined)
    setUsername('')
    await revalidate([getTeam.keyFor(props.team), getAudit.key])
  }
  return (
    <>
      <Show when={link()}>
        {(text) => (
          <div class="grid gap-2 border-t border-line bg-moss-soft px-5 py-3" role="status">
            <p>
              <strong>Copy the link now.</strong> It is shown this once, works once, and ends after {invitationDays} days.
            </p>
            <div class="flex flex-wrap items-center gap-2">
              <code class="min-w-0 break-all">{text()}</code>
              <CopyButton text={text()} label="Copy the link" />
            </div>
          </div>
        )}
      </Show>
      <form
        class="flex flex-wrap items-end gap-3 border-t border-line px-5 py-3"
        onSubmit={(event) => {
          event.preventDefault()
          void invite()
        }}
      >
        <label class="grid gap-1">
          <span class="text-s text-muted">Invite as</span>
          <select class="field" onChange={(event) => setRole(event.currentTarget.value as TeamRole /* one of the options */)}>
            <For each={teamRoles}>
              {(one) => (
                <option value={one} selected={one === role()}>
                  {one}
                </option>
              )}
            </For>
          </select>
        </label>
        <label class="grid min-w-40 flex-1 gap-1">
          <span class="text-s text-muted">Name at Chutes, if it is for one person only</span>
          <input
            class="field w-full min-w-0"
            value={username()}
            maxlength="100"
            placeholder="whoever has the link"
            onInput={(event) => setUsername(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="btn btn-main">
          Make a link
        </button>
        <span class="w-full text-s text-muted">
          {role() === 'admin' ? 'An' : 'A'} {role()} {roleWords[role()]}.
        </span>
      </form>
    </>
  )
}
