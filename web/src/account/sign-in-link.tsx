import { useLocation } from '@solidjs/router'
import type { JSX } from 'solid-js'

/** Links to the sign-in, which returns to this page. */
export function SignInLink(props: { class?: string; title?: string; children: JSX.Element }) {
  const location = useLocation()
  const href = () => `/api/auth/login?return_to=${encodeURIComponent(`${location.pathname}${location.search}`)}`
  return (
    <a href={href()} rel="external" class={props.class} title={props.title}>
      {props.children}
    </a>
  )
}
