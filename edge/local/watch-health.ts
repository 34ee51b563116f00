import { request } from 'node:http'

const defaults = { everyMs: 1_000, timeoutMs: 10_000, failures: 3 }

/**
 * Asks `url` once a second; any HTTP answer is a sign of life. After three failures in a row (refused, or silent for 10 s each)
 * `onDead` is called once and the watch ends.
 */
export function watchHealth(url: string, onDead: (detail: string) => void, options: Partial<typeof defaults> = {}): { stop(): void } {
  const { everyMs, timeoutMs, failures: allowedFailures } = { ...defaults, ...options }
  let failures = 0
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  const next = () => {
    if (!stopped) timer = setTimeout(probe, everyMs)
  }
  const failed = (error: Error) => {
    failures += 1
    if (failures < allowedFailures || stopped) return next()
    stopped = true
    onDead(error.message)
  }
  const probe = () => {
    const asked = request(url, { timeout: timeoutMs, agent: false }, (response) => {
      failures = 0
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
