import { afterEach, expect, test, vi } from 'vitest'
import { initialHead } from '#shared/run/apply.ts'
import { testSpec } from '#shared/run/testing/test-spec.ts'
import { followRun, silentMs } from './live-connection.ts'
import type { Live } from './live-state.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('[UI525] a stream that is silent is opened again, and one with heartbeats is not', () => {
  vi.useFakeTimers()
  const opened: EventTarget[] = []
  class Source extends EventTarget {
    onopen = () => undefined
    closed = false
    constructor() {
      super()
      opened.push(this)
    }
    close() {
      this.closed = true
    }
  }
  vi.stubGlobal('EventSource', Source)
  const startMs = Date.now()
  const shown: Live[] = []
  const head = { ...initialHead(testSpec()), status: 'running' as const }
  const stop = followRun(head, { fetchRun: async () => undefined, changed: (live) => shown.push(live) })
  const [first] = opened as Source[]
  first!.onopen()
  for (let n = 0; n < 5; n++) {
    vi.advanceTimersByTime(silentMs - 1)
    first!.dispatchEvent(new MessageEvent('heartbeat', { data: '{}' }))
  }
  expect([opened.length, shown.at(-1)?.connection]).toEqual([1, 'live'])
  vi.advanceTimersByTime(silentMs)
  const heard_ms = startMs + 5 * (silentMs - 1)
  expect([first!.closed, shown.at(-1)?.connection, shown.at(-1)?.lost_at_ms]).toEqual([true, 'waiting', heard_ms])
  vi.advanceTimersByTime(silentMs / 2) // the longest pause before the next try is shorter
  expect(opened.length).toBe(2)
  stop()
  expect(vi.getTimerCount()).toBe(0)
})
