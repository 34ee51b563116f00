import type { buildConnector } from 'undici'

/**
 * A connector for undici that opens connections by another one and tells how long the connection took of the request that starts on it first. The transport starts that request while it
 * is handed the connection, so that within it `freshMs` is that time in milliseconds, and NaN whenever a request starts on an open one.
 */
export function createTimedConnector(open: buildConnector.connector): { connect: buildConnector.connector; freshMs(): number } {
  let freshMs = Number.NaN
  return {
    connect(options, callback) {
      const beganMs = performance.now()
      open(options, (...opened) => {
        freshMs = performance.now() - beganMs
        callback(...opened)
        freshMs = Number.NaN
      })
    },
    freshMs: () => freshMs,
  }
}
