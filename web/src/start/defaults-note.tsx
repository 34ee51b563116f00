import { A } from '@solidjs/router'

/** Says that the page began with the defaults of its reader. */
export function DefaultsNote() {
  return (
    <p class="text-s text-muted">
      Your default model and parameters are chosen. Change them here for this run, or for all under{' '}
      <A class="link" href="/settings#defaults">
        Settings
      </A>
      .
    </p>
  )
}
