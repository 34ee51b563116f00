import type { Telemetry } from '#shared/telemetry/telemetry.ts'
import type { Link } from '../coordinator/link.ts'

/** The same link, which counts connections: opened, failed before that, or lost although nobody here closed them. */
export function meterLink(link: Link, telemetry: Telemetry): Link {
  return {
    ...link,
    dial(url, token, events) {
      const to = url.endsWith('/api/fleet/socket') ? 'fleet' : 'run'
      const tell = (event: 'opened' | 'failed' | 'lost'): void => telemetry.count('bench_agent_connections_total', { to, event })
      let state: 'dialing' | 'open' | 'over' = 'dialing'
      const over = (): void => {
        if (state !== 'over') tell(state === 'open' ? 'lost' : 'failed')
        state = 'over'
      }
      const wire = link.dial(url, token, {
        onOpen() {
          state = 'open'
          tell('opened')
          events.onOpen()
        },
        onMessage: events.onMessage,
        onRefused(status, said) {
          over()
          events.onRefused(status, said)
        },
        onGone(code, reason, why) {
          over()
          events.onGone(code, reason, why)
        },
      })
      return {
        ...wire,
        close() {
          state = 'over'
          wire.close()
        },
      }
    },
  }
}
