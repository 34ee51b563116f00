import { A, createAsync } from '@solidjs/router'
import CircleUser from '~icons/lucide/circle-user'
import LogIn from '~icons/lucide/log-in'
import Settings from '~icons/lucide/settings'
import { Show } from '../ui/show.tsx'
import { SignInLink } from './sign-in-link.tsx'
import { getSignIn } from './sign-in-query.ts'

/** Links to the sign-in or to the settings of the user or of the local owner; renders nothing for others if sign-in is off. */
export function AccountPlace(props: { class: string; named: string }) {
  const answer = createAsync(() => getSignIn())
  const told = () => {
    const got = answer()
    return got?.ok && (got.value.idp_configured || got.value.keeps_settings) ? got.value : undefined
  }
  return (
    <Show when={told()}>
      {(status) => (
        <Show
          when={status().user}
          fallback={
            <>
              <Show when={status().keeps_settings}>
                <A href="/settings" class={props.class} title="Settings">
                  <Settings size={18} stroke-width={1.75} class="shrink-0" aria-hidden="true" />
                  <span class={props.named}>Settings</span>
                </A>
              </Show>
              <Show when={status().idp_configured}>
                <SignInLink class={props.class} title="Sign in with Chutes">
                  <LogIn size={18} stroke-width={1.75} class="shrink-0" aria-hidden="true" />
                  <span class={props.named}>Sign in</span>
                </SignInLink>
              </Show>
            </>
          }
        >
          {(user) => (
            <A href="/settings" class={props.class} title={`${user().username}: settings`}>
              <CircleUser size={18} stroke-width={1.75} class="shrink-0" aria-hidden="true" />
              <span class={props.named}>{user().username}</span>
            </A>
          )}
        </Show>
      )}
    </Show>
  )
}
