import type { Run } from '#shared/contract/api.ts'
import { isTerminal, type RunHead } from '#shared/contract/run.ts'
import { foldMessage } from './live.ts'
import { backOffMs, type Live, startLive } from './live-state.ts'

type Ports = {
  /** The run as the API has it now, for polling where no stream gets through. */
  fetchRun(): Promise<Pick<Run, 'head' | 'pulse'> | undefined>
  changed(live: Live): void
}

const failuresBeforePolling = 3
/** Longest silence of a stream, in milliseconds: the service sends a heartbeat every 15 s. */
export const silentMs = 40_000

/**
 * Follows a run from the head the page was rendered with until the run ends or `stop` is called. The stream is opened
 * after the head's last event. A stream that breaks or is silent for `silentMs` is opened again where it broke off, with
 * growing pauses; from the third failure on the head is polled in those pauses.
 */
export function followRun(first: RunHead, ports: Ports): () => void {
  let live = startLive(first)
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let stopped = false
  let silence: ReturnType<typeof setTimeout> | undefined
  let heardMs = Date.now()

  const show = (next: Live) => {
    live = next
    ports.changed(live)
  }
  const heard = () => {
    heardMs = Date.now()
    clearTimeout(silence)
    silence = setTimeout(again, silentMs)
  }
  const stop = () => {
    stopped = true
    source?.close()
    clearTimeout(timer)
    clearTimeout(silence)
  }
  const end = () => {
    stop()
    show({ ...live, connection: 'ended' })
  }
  const refetch = async () => {
    const run = await ports.fetchRun()
    if (stopped || !run || run.head.seq < live.head.seq) return
    const { head, pulse } = run
    show({ ...live, head, pulse: pulse && { pulse, at_ms: Date.now() }, lost_at_ms: Date.now() })
    if (isTerminal(head.status)) end()
  }
  const again = () => {
    source?.close()
    clearTimeout(silence)
    if (stopped) return
    // What the agents do is not known without the stream, so it is not claimed.
    show({ ...live, connection: 'waiting', pulse: null, lost_at_ms: live.lost_at_ms ?? heardMs })
    timer = setTimeout(
      async () => {
        if (failures >= failuresBeforePolling) await refetch()
        if (!stopped) open()
      },
      backOffMs(failures++, Math.random()),
    )
  }
  const open = () => {
    source = new EventSource(`/api/runs/${first.run_id}/events?pulse=1&after=${live.head.seq}`)
    heard()
    source.onopen = () => {
      heard()
      failures = 0
      show({ ...live, connection: 'live', lost_at_ms: null })
    }
    const take = (event: MessageEvent<string>) => {
      heard()
      try {
        show(foldMessage(live, JSON.parse(event.data), Date.now()))
      } catch (cause) {
        console.error('the stream sent what this page cannot read', cause)
        return again()
      }
      if (live.connection === 'ended') end()
    }
    source.onmessage = take
    source.addEventListener('pulse', take)
    source.addEventListener('heartbeat', heard)
    source.addEventListener('done', end)
    source.onerror = () => {
      // Never left to the browser: it would come back to the first address, and joined events could be counted twice.
      again()
    }
  }
  if (live.connection !== 'ended') open()
  return stop
}
