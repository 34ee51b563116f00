import { createAsync, revalidate, useSearchParams } from '@solidjs/router'
import { createSignal } from 'solid-js'
import { Done } from '#shared/contract/api.ts'
import { isSignInRefusal, type SignInStatus, signInRefusals } from '#shared/contract/sign-in.ts'
import { Activity } from '../account/activity.tsx'
import { OwnBudgets } from '../account/own-budgets.tsx'
import { OwnKeys } from '../account/own-keys.tsx'
import { SessionTable } from '../account/session-table.tsx'
import { SignInLink } from '../account/sign-in-link.tsx'
import { getSignIn } from '../account/sign-in-query.ts'
import { type ApiProblem, send } from '../api.ts'
import { OwnTeams } from '../team/own-teams.tsx'
import { later } from '../ui/later.tsx'
import { Note } from '../ui/note.tsx'
import { Page } from '../ui/page.tsx'
import { ProblemNote } from '../ui/problem.tsx'
import { Show } from '../ui/show.tsx'

const ProviderKeys = later(async () => (await import('../account/provider-keys.tsx')).ProviderKeys)
const RunDefaultsForm = later(async () => (await import('../account/run-defaults.tsx')).RunDefaultsForm)

/** Shows the account, its API keys and its browser sessions. */
export default function Settings() {
  const [search] = useSearchParams()
  const answer = createAsync(() => getSignIn())
  const status = () => {
    const got = answer()
    return got?.ok ? got.value : undefined
  }
  const broken = () => {
    const got = answer()
    return got && !got.ok ? got.problem : undefined
  }
  const refusal = () => (isSignInRefusal(search.sign_in) && !status()?.authenticated ? signInRefusals[search.sign_in].text : undefined)
  return (
    <Page title="Settings">
      <div class="grid max-w-4xl grid-cols-[minmax(0,1fr)] gap-5">
        <Show when={broken()}>{(got) => <ProblemNote problem={got()} page />}</Show>
        <Show when={refusal()}>{(text) => <Note title="You are not signed in.">{text()}</Note>}</Show>
        <Show when={status()}>
          {(now) => (
            <Show when={now().user} fallback={<WithoutSession status={now()} />}>
              {(user) => (
                <>
                  <Account username={user().username} invokes={now().has_invoke_scope} />
                  <OwnBudgets />
                  <OwnKeys invokes={now().has_invoke_scope} />
                  <OwnTeams />
                  <ProviderKeys />
                  <RunDefaultsForm />
                  <SessionTable />
                  <Activity />
                </>
              )}
            </Show>
          )}
        </Show>
      </div>
    </Page>
  )
}

/** Offers the sign-in, and shows the local owner what is kept for him without one. */
function WithoutSession(props: { status: SignInStatus }) {
  return (
    <>
      <Show when={props.status.keeps_settings}>
        <ProviderKeys />
        <RunDefaultsForm />
      </Show>
      <SignedOut offered={props.status.idp_configured} />
    </>
  )
}

function SignedOut(props: { offered: boolean }) {
  return (
    <section class="box grid justify-items-start gap-3 p-5">
      <Show
        when={props.offered}
        fallback={
          <p class="text-muted">
            Nobody signs in at this service. Its operator sets <code>CHUTES_CLIENT_ID</code> and <code>CHUTES_CLIENT_SECRET</code> to offer
            Sign in with Chutes. API keys work without it.
          </p>
        }
      >
        <h2 class="font-semibold">Sign in with your Chutes account</h2>
        <p class="text-muted">
          Your account then pays for the runs that you start, you see your private runs in every browser, and you make keys for programs.
          Chutes asks who you are; this service never sees the secret that you show there.
        </p>
        <SignInLink class="btn btn-main">Sign in with Chutes</SignInLink>
      </Show>
    </section>
  )
}

function Account(props: { username: string; invokes: SignInStatus['has_invoke_scope'] }) {
  const [problem, setProblem] = createSignal<ApiProblem>()
  const signOut = async () => {
    const answer = await send(Done, '/api/auth/logout')
    setProblem(answer.ok ? undefined : answer.problem)
    if (answer.ok) await revalidate()
  }
  return (
    <section class="box grid gap-3 p-5" aria-label="Account">
      <div class="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div class="min-w-0">
          <div class="eyebrow">Signed in with Chutes as</div>
          <div class="truncate text-xl font-semibold">{props.username}</div>
        </div>
        <button type="button" class="btn ml-auto" onClick={() => void signOut()}>
          Sign out
        </button>
      </div>
      <Show
        when={props.invokes}
        fallback={
          <p>
            <span class="text-papaya">Your account pays for nothing here:</span> you signed in without the scope <code>chutes:invoke</code>.{' '}
            <SignInLink class="link">Sign in again</SignInLink> and allow it to start runs.
          </p>
        }
      >
        <p class="text-muted">Your Chutes account pays for the runs that you start here. They are private until you share them.</p>
      </Show>
      <Show when={problem()}>{(got) => <ProblemNote problem={got()} />}</Show>
    </section>
  )
}
