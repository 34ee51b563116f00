import { createAsync, revalidate } from '@solidjs/router'
import { createSignal, For } from 'solid-js'
import { TeamDetail } from '#shared/contract/team.ts'
import { getAudit, getBudgets } from '../account/account-queries.ts'
import { ProblemFoot } from '../account/problem-foot.tsx'
import { getSignIn } from '../account/sign-in-query.ts'
import { type ApiProblem, send } from '../api.ts'
import { later } from '../ui/later.tsx'
import { RowForm } from '../ui/row-form.tsx'
import { Show } from '../ui/show.tsx'
import { getTeams } from './team-queries.ts'

const TeamBox = later(async () => (await import('./team-box.tsx')).TeamBox)

/** Lists the teams of the user, each with its members below it once opened, and makes teams. */
export function OwnTeams() {
  const answer = createAsync(() => getTeams())
  const [open, setOpen] = createSignal<string>()
  const [name, setName] = createSignal('')
  const [problem, setProblem] = createSignal<ApiProblem>()
  const teams = () => {
    const got = answer()
    return got?.ok ? got.value.teams : []
  }
  const make = async () => {
    const made = await send(TeamDetail, '/api/teams', { name: name().trim() })
    setProblem(made.ok ? undefined : made.problem)
    if (!made.ok) return
    setName('')
    setOpen(made.value.id)
    await revalidate([getTeams.key, getSignIn.key, getBudgets.key, getAudit.key])
  }
  return (
    <section class="box overflow-hidden" aria-label="Teams">
      <div class="px-5 pt-4 pb-3">
        <h2 class="font-semibold">Teams</h2>
        <p class="text-muted">A team owns runs, tasks, keys and a budget. Its members see them; whoever starts a run pays for it.</p>
      </div>
      <ul>
        <For each={teams()} fallback={<li class="border-t border-line px-5 py-3 text-muted">You are in no team.</li>}>
          {(team) => (
            <li class="border-t border-line">
              <div class="flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-3">
                <div class="min-w-40 flex-1">
                  <span class="font-medium break-words">{team.name}</span>
                  <span class="block text-s text-muted">
                    you are {team.role === 'admin' ? 'an admin' : `a ${team.role}`} ·{' '}
                    {team.members_total === 1 ? 'one member' : `${team.members_total} members`}
                  </span>
                </div>
                <a class="link" href={`/runs?team=${team.id}`} aria-label={`Runs of ${team.name}`}>
                  Runs
                </a>
                <button
                  type="button"
                  class="btn"
                  aria-expanded={open() === team.id}
                  aria-label={`Members of ${team.name}`}
                  onClick={() => setOpen(open() === team.id ? undefined : team.id)}
                >
                  {open() === team.id ? 'Close' : 'Members'}
                </button>
              </div>
              <Show when={open() === team.id}>
                <TeamBox id={team.id} left={() => setOpen(undefined)} />
              </Show>
            </li>
          )}
        </For>
      </ul>
      <RowForm submit={make}>
        <label class="grid min-w-40 flex-1 gap-1">
          <span class="text-s text-muted">New team</span>
          <input
            class="field w-full min-w-0"
            value={name()}
            maxlength="80"
            required
            placeholder="evaluation"
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="btn">
          Make a team
        </button>
      </RowForm>
      <ProblemFoot problem={problem()} />
    </section>
  )
}
