import { request } from 'node:http'

const defaults = {
  everyMs: 1_000,
  timeoutMs: 10_000,
  failures: 3,
  busyFailures: 18,
  /** CPU time that the watched process has used, in ms; null where that cannot be told. */
  cpuMs: (): number | null => null,
}

/** A silent process that has used so much CPU since it was asked is at work, also on a machine that gives it little. */
const busyMs = 50

/**
 * Asks `url` once a second; any HTTP answer is a sign of life. After three failures in a row (refused, or silent for 10 s each)
 * `onDead` is called once and the watch ends. A process that is silent and uses CPU is busy: it is in the middle of a request that may be permitted, and is
 * given 18 failures, three minutes.
 */
export function watchHealth(url: string, onDead: (detail: string) => void, options: Partial<typeof defaults> = {}): { stop(): void } {
  const { everyMs, timeoutMs, failures: allowedFailures, busyFailures, cpuMs } = { ...defaults, ...options }
  let failures = 0
  let idleFailures = 0
  let usedMs: number | null = null
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  const next = () => {
    if (!stopped) timer = setTimeout(probe, everyMs)
  }
  const failed = (error: Error) => {
    const used = cpuMs()
    const isBusy = used !== null && usedMs !== null && used - usedMs >= busyMs
    failures += 1
    idleFailures = isBusy ? 0 : idleFailures + 1
    if ((idleFailures < allowedFailures && failures < busyFailures) || stopped) return next()
    stopped = true
    onDead(isBusy ? `${error.message}, and it was busy all the time` : error.message)
  }
  const probe = () => {
    usedMs = cpuMs()
    const asked = request(url, { timeout: timeoutMs, agent: false }, (response) => {
      failures = 0
      idleFailures = 0
      response.resume()
      next()
    })
    asked.once('timeout', () => asked.destroy(new Error(`no answer in ${timeoutMs / 1000} s`)))
    asked.once('error', failed)
    asked.end()
  }
  next()
  return {
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
