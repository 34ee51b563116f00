import type { followRun } from './live-connection.ts'

/** Follows a run once what reads its stream is loaded, which nothing on the page waits for; otherwise as `followRun`. */
export function followLive(...given: Parameters<typeof followRun>): () => void {
  let stopped = false
  let stop = () => {
    stopped = true
  }
  void import('./live-connection.ts').then(({ followRun: follow }) => {
    if (!stopped) stop = follow(...given)
  })
  return () => stop()
}
