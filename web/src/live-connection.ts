import { isTerminal, type RunHead } from '#shared/contract/run.ts'
import { backOffMs, foldMessage, type Live, startLive } from './live.ts'

type Ports = {
  /** The head as the API has it now, for polling where no stream gets through. */
  fetchHead(): Promise<RunHead | undefined>
  changed(live: Live): void
}

const failuresBeforePolling = 3

/**
 * Follows a run from the head the page was rendered with until the run ends or `stop` is called. The stream is opened
 * after the head's last event; a lost stream is opened again where it broke off, with growing pauses, and from the third
 * failure on the head is polled in those pauses.
 */
export function followRun(first: RunHead, ports: Ports): () => void {
  let live = startLive(first)
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let stopped = false

  const show = (next: Live) => {
    live = next
    ports.changed(live)
  }
  const stop = () => {
    stopped = true
    source?.close()
    clearTimeout(timer)
  }
  const end = () => {
    stop()
    show({ ...live, connection: 'ended' })
  }
  const refetch = async () => {
    const head = await ports.fetchHead()
    if (stopped || !head || head.seq < live.head.seq) return
    show({ ...live, head })
    if (isTerminal(head.status)) end()
  }
  const again = () => {
    source?.close()
    if (stopped) return
    show({ ...live, connection: 'waiting' })
    timer = setTimeout(
      async () => {
        if (failures >= failuresBeforePolling) await refetch()
        if (!stopped) open()
      },
      backOffMs(failures++, Math.random()),
    )
  }
  const open = () => {
    source = new EventSource(`/api/runs/${first.run_id}/events?after=${live.head.seq}`)
    source.onopen = () => {
      failures = 0
      show({ ...live, connection: 'live' })
    }
    source.onmessage = (event) => {
      try {
        show(foldMessage(live, JSON.parse(event.data), Date.now()))
      } catch (cause) {
        console.error('the stream sent what this page cannot read', cause)
        return again()
      }
      if (live.connection === 'ended') end()
    }
    source.addEventListener('done', end)
    source.onerror = () => {
      // Never left to the browser: it would come back to the first address, and joined events could be counted twice.
      again()
    }
  }
  if (live.connection !== 'ended') open()
  return stop
}
