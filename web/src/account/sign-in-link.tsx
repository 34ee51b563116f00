import { useLocation } from '@solidjs/router'
import type { JSX } from 'solid-js'

/** Leads to Chutes and, once somebody has signed in there, back to this page. */
export function SignInLink(props: { class?: string; title?: string; children: JSX.Element }) {
  const location = useLocation()
  const href = () => `/api/auth/login?return_to=${encodeURIComponent(`${location.pathname}${location.search}`)}`
  return (
    <a href={href()} rel="external" class={props.class} title={props.title}>
      {props.children}
    </a>
  )
}
