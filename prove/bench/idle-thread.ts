import { monitorEventLoopDelay } from 'node:perf_hooks'
import { parentPort } from 'node:worker_threads'

/** A thread that does nothing but notice when it was not let run: told any message, it answers with 99th percentile and longest delay in milliseconds. */
const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
parentPort?.on('message', () => {
  parentPort?.postMessage({ p99_ms: delay.percentile(99) / 1e6, most_ms: delay.max / 1e6 })
  process.exit(0)
})
