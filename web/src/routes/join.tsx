import { A, createAsync, revalidate } from '@solidjs/router'
import { createSignal, onMount, Switch } from 'solid-js'
import { SeenInvitation } from '#shared/contract/team.ts'
import { TeamPlace } from '#shared/contract/team-place.ts'
import { SignInLink } from '../account/sign-in-link.tsx'
import { getSignIn } from '../account/sign-in-query.ts'
import { type Answer, send } from '../api.ts'
import { dropInvitation, takeInvitation } from '../team/kept-invitation.ts'
import { roleWords } from '../team/role-words.ts'
import { moment } from '../ui/format.ts'
import { Page } from '../ui/page.tsx'
import { ProblemNote } from '../ui/problem.tsx'
import { Match, Show } from '../ui/show.tsx'

/** Shows the invitation of a link, after a sign-in where nobody is signed in, and accepts it. */
export default function Join() {
  const answer = createAsync(() => getSignIn())
  const [secret, setSecret] = createSignal<string | null>()
  const [seen, setSeen] = createSignal<Answer<SeenInvitation>>()
  const [joined, setJoined] = createSignal<Answer<TeamPlace>>()
  const [busy, setBusy] = createSignal(false)
  const user = () => {
    const got = answer()
    return got?.ok ? got.value.user : undefined
  }
  const invitation = () => {
    const got = seen()
    return got?.ok ? got.value : undefined
  }
  const team = () => {
    const got = joined()
    return got?.ok ? got.value : undefined
  }
  const problem = () => {
    const [last, first] = [joined(), seen()]
    return last && !last.ok ? last.problem : first && !first.ok ? first.problem : undefined
  }
  onMount(async () => {
    const found = takeInvitation()
    setSecret(found ?? null)
    const status = await getSignIn()
    if (found !== undefined && status.ok && status.value.user)
      setSeen(await send(SeenInvitation, '/api/teams/invitation', { secret: found }))
  })
  const accept = async () => {
    setBusy(true)
    setJoined(await send(TeamPlace, '/api/teams/join', { secret: secret() }))
    setBusy(false)
    if (!team()) return
    dropInvitation()
    await revalidate(getSignIn.key)
  }
  return (
    <Page title="Join a team">
      <section class="box grid max-w-2xl justify-items-start gap-3 p-5">
        <Switch fallback={<p class="text-muted">Reading the invitation…</p>}>
          <Match when={team()}>
            {(place) => (
              <>
                <h2 class="text-l font-semibold break-words">You are in {place().name}</h2>
                <p class="text-muted">
                  As {place().role === 'admin' ? 'an admin' : `a ${place().role}`}: {roleWords[place().role]}.
                </p>
                <A class="btn btn-main" href={`/runs?team=${place().id}`}>
                  See its runs
                </A>
              </>
            )}
          </Match>
          <Match when={secret() === null}>
            <p class="text-muted">This address has no invitation in it. Open the whole link that an admin of the team sent you.</p>
          </Match>
          <Match when={problem()}>{(got) => <ProblemNote problem={got()} />}</Match>
          <Match when={invitation()}>
            {(got) => (
              <>
                <h2 class="text-l font-semibold break-words">{got().team}</h2>
                <p>
                  You join as <strong>{got().role}</strong>: {roleWords[got().role]}.
                </p>
                <Show when={got().member}>{(role) => <p class="text-muted">You are in the team already, as {role()}.</p>}</Show>
                <button type="button" class="btn btn-main" disabled={busy()} onClick={() => void accept()}>
                  Join as {user()?.username}
                </button>
                <p class="text-s text-muted">The invitation works once and ends {moment(got().expires_at)}.</p>
              </>
            )}
          </Match>
          <Match when={answer() && !user()}>
            <p>You were invited to a team. Sign in to see which, and to join it.</p>
            <SignInLink class="btn btn-main">Sign in with Chutes</SignInLink>
          </Match>
        </Switch>
      </section>
    </Page>
  )
}
