import { getRequestEvent, isServer } from 'solid-js/web'

/** Scheme, host and port of this service as the visitor reached it. */
export function origin(): string {
  return isServer ? new URL(getRequestEvent()!.request.url).origin : location.origin
}
