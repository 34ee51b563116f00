import { MetaProvider, Title } from '@solidjs/meta'
import { Router } from '@solidjs/router'
import { FileRoutes } from '@solidjs/start/router'
import { Suspense } from 'solid-js'
import './app.css'
import { Shell } from './ui/shell.tsx'
import { PageSkeleton } from './ui/skeleton.tsx'

export default function App() {
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
