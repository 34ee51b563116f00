import { MetaProvider, Title } from '@solidjs/meta'
import { Router } from '@solidjs/router'
import { FileRoutes } from '@solidjs/start/router'
import { onMount, Suspense } from 'solid-js'
import './app.css'
import { tellEarlyEvents } from './early-events.ts'
import { Shell } from './ui/shell.tsx'
import { PageSkeleton } from './ui/skeleton.tsx'

export default function App() {
  // Solid delays this effect until the whole page is hydrated.
  onMount(tellEarlyEvents)
  return (
    <Router
      root={(props) => (
        <MetaProvider>
          <Title>Bench Runner</Title>
          <Shell>
            <Suspense fallback={<PageSkeleton />}>{props.children}</Suspense>
          </Shell>
        </MetaProvider>
      )}
    >
      <FileRoutes />
    </Router>
  )
}
