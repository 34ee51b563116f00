import { createAsync, revalidate } from '@solidjs/router'
import { createSignal, For } from 'solid-js'
import { Done } from '#shared/contract/api.ts'
import type { TeamMember } from '#shared/contract/team.ts'
import { mayInTeam, type TeamRole, teamRoles } from '#shared/contract/team-rights.ts'
import { getAudit, getBudgets } from '../account/account-queries.ts'
import { Activity } from '../account/activity.tsx'
import { BudgetBar } from '../account/budget-bar.tsx'
import { OwnKeys } from '../account/own-keys.tsx'
import { ProblemFoot } from '../account/problem-foot.tsx'
import { SetBudget } from '../account/set-budget.tsx'
import { getSignIn } from '../account/sign-in-query.ts'
import { type ApiProblem, send } from '../api.ts'
import { ConfirmButton } from '../ui/confirm.tsx'
import { moment } from '../ui/format.ts'
import { Show } from '../ui/show.tsx'
import { InviteForm } from './invite-form.tsx'
import { RenameTeam } from './rename-team.tsx'
import { getTeam, getTeams } from './team-queries.ts'

/** Shows the members of a team; its admins change roles, invite, rename it, set its budget, read its log and delete it. */
export function TeamBox(props: { id: string; left: () => void }) {
  const answer = createAsync(() => getTeam(props.id))
  const budgets = createAsync(() => getBudgets())
  const signIn = createAsync(() => getSignIn())
  const [problem, setProblem] = createSignal<ApiProblem>()
  const [shown, setShown] = createSignal<'rename' | 'keys' | 'activity'>()
  const team = () => {
    const got = answer()
    return got?.ok ? got.value : undefined
  }
  const refused = () => {
    const got = answer()
    return problem() ?? (got && !got.ok ? got.problem : undefined)
  }
  const budget = () => {
    const got = budgets()
    return (got?.ok && got.value.budgets.find(({ kind, id }) => kind === 'team' && id === props.id)) || null
  }
  const names = () => Object.fromEntries(team()?.members.map(({ id, username }) => [id, username]) ?? [])
  const invokes = () => {
    const got = signIn()
    return got?.ok === true && got.value.has_invoke_scope
  }
  const manages = () => mayInTeam(team()?.role ?? 'viewer', 'manage')
  const path = (rest: string) => `/api/teams/${encodeURIComponent(props.id)}${rest}`
  const call = async (rest: string, body: object, method: string) => {
    const done = await send(Done, path(rest), body, { method })
    setProblem(done.ok ? undefined : done.problem)
    return done.ok
  }
  const refresh = () => revalidate([getTeam.keyFor(props.id), getTeams.key, getSignIn.key, getAudit.key])
  const change = async (member: TeamMember, role: TeamRole) => {
    await call(`/members/${encodeURIComponent(member.id)}`, { role }, 'PATCH')
    await refresh()
  }
  const leave = async (rest: string) => {
    if (!(await call(rest, {}, 'DELETE'))) return
    props.left()
    await revalidate([getTeams.key, getSignIn.key, getBudgets.key, getAudit.key])
  }
  const remove = async (member: TeamMember) => {
    if (member.you) return leave(`/members/${encodeURIComponent(member.id)}`)
    await call(`/members/${encodeURIComponent(member.id)}`, {}, 'DELETE')
    await refresh()
  }
  const takeBack = async (id: string) => {
    await call(`/invitations/${encodeURIComponent(id)}`, {}, 'DELETE')
    await refresh()
  }
  return (
    <div class="border-t border-line bg-raised/40">
      <Show when={team()}>
        {(got) => (
          <>
            <ul>
              <For each={got().members}>
                {(member) => (
                  <li class="flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-2 not-first:border-t border-line">
                    <div class="min-w-40 flex-1">
                      <span class="font-medium break-words">{member.username}</span>
                      <Show when={member.you}>
                        <span class="ml-2 text-s text-moss">you</span>
                      </Show>
                      <span class="block text-s text-muted">since {moment(member.joined_at)}</span>
                    </div>
                    <Show when={manages()} fallback={<span class="text-muted">{member.role}</span>}>
                      <select
                        class="field"
                        aria-label={`Role of ${member.username}`}
                        onChange={(event) => void change(member, event.currentTarget.value as TeamRole)} // one of the options
                      >
                        <For each={teamRoles}>
                          {(role) => (
                            <option value={role} selected={role === member.role}>
                              {role}
                            </option>
                          )}
                        </For>
                      </select>
                    </Show>
                    <Show when={manages() || member.you}>
                      <ConfirmButton
                        question={member.you ? 'The team’s things close to you.' : 'The team’s things close at once.'}
                        yes={member.you ? 'Leave the team' : 'Remove'}
                        act={() => void remove(member)}
                      >
                        {member.you ? 'Leave' : 'Remove'}
                      </ConfirmButton>
                    </Show>
                  </li>
                )}
              </For>
              <For each={got().invitations}>
                {(one) => (
                  <li class="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-5 py-2">
                    <span class="min-w-40 flex-1">
                      Invitation as {one.role}
                      {one.username ? ` for ${one.username}` : ''}
                      <span class="block text-s text-muted">ends {moment(one.expires_at)}</span>
                    </span>
                    <button type="button" class="btn" onClick={() => void takeBack(one.id)}>
                      Take back
                    </button>
                  </li>
                )}
              </For>
            </ul>
            <Show when={manages()}>
              <InviteForm team={props.id} failed={setProblem} />
              <div class="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line px-5 py-3">
                <Show when={budget()?.set_by ? budget() : null} fallback={<span class="min-w-40 flex-1 text-s text-muted">No budget</span>}>
                  {(now) => (
                    <div class="min-w-40 flex-1">
                      <BudgetBar budget={now()} />
                    </div>
                  )}
                </Show>
                <SetBudget kind="team" id={props.id} name={got().name} budget={budget()} failed={setProblem} />
                <For each={['rename', 'keys', 'activity'] as const}>
                  {(part) => (
                    <button
                      type="button"
                      class="btn capitalize"
                      aria-expanded={shown() === part}
                      onClick={() => setShown(shown() === part ? undefined : part)}
                    >
                      {part}
                    </button>
                  )}
                </For>
                <ConfirmButton
                  question="Its tasks are deleted, its private runs close to everybody."
                  yes="Delete the team"
                  act={() => void leave('')}
                >
                  Delete
                </ConfirmButton>
              </div>
              <Show when={shown() === 'rename'}>
                <RenameTeam id={props.id} name={got().name} failed={setProblem} done={() => setShown(undefined)} />
              </Show>
              <Show when={shown() === 'keys'}>
                <div class="border-t border-line">
                  <OwnKeys team={props.id} invokes={invokes()} />
                </div>
              </Show>
              <Show when={shown() === 'activity'}>
                <div class="border-t border-line">
                  <Activity team={props.id} names={names()} />
                </div>
              </Show>
            </Show>
          </>
        )}
      </Show>
      <ProblemFoot problem={refused()} />
    </div>
  )
}
