import { A } from '@solidjs/router'
import { HttpStatusCode } from '@solidjs/start'
import { Page } from '../ui/page.tsx'

export default function NotFound() {
  return (
    <Page title="There is nothing at this address">
      <HttpStatusCode code={404} />
      <p class="text-muted">The link may be old, or mistyped.</p>
      <p class="mt-4 flex gap-2">
        <A class="btn" href="/">
          Start a run
        </A>
        <A class="btn" href="/runs">
          All runs
        </A>
      </p>
    </Page>
  )
}
