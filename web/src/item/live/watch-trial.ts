import { LiveMessage } from '#shared/contract/live.ts'
import { backOffMs } from '../../live-state.ts'
import { foldMessage, type LiveView } from './live-view.ts'

type Ports = {
  /** `lost`: the stream is broken and tried again; the view is as old as that. */
  changed(view: LiveView, lost: boolean): void
  /** There is nothing to watch for this visitor. */
  refused(): void
}

/** Follows one trial while it runs, until it has ended or `stop` is called. A stream that breaks is opened again and begins with what there is by then. */
export function watchTrial(path: string, { changed, refused }: Ports): () => void {
  let view: LiveView = { status: 'connecting' }
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let reached = false

  const stop = () => {
    source?.close()
    clearTimeout(timer)
  }
  const again = () => {
    source?.close()
    if (!reached) return refused()
    changed(view, true)
    timer = setTimeout(open, backOffMs(failures++, Math.random()))
  }
  const open = () => {
    source = new EventSource(path)
    source.onopen = () => {
      reached = true
      failures = 0
    }
    source.onmessage = (event: MessageEvent<string>) => {
      try {
        view = foldMessage(view, LiveMessage.parse(JSON.parse(event.data)))
      } catch (cause) {
        console.error('the stream sent what this page cannot read', cause)
        return again()
      }
      if (view.status === 'ended') stop()
      changed(view, false)
    }
    source.onerror = again
  }
  open()
  return stop
}
