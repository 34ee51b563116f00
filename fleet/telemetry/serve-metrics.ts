import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as z from 'zod'
import { prometheusType } from '#shared/telemetry/prometheus.ts'

/** Where metrics are served: a port of this machine alone (`9464`), or an address with its port (`0.0.0.0:9464`, `[::1]:9464`). */
export const MetricsAddress = z
  .string()
  .regex(/^(?:(?:[\w.-]+|\[[0-9A-Fa-f:.]+\]):)?\d{1,5}$/, 'is no port and no address:port')
  .transform((text) => {
    const [, host = '127.0.0.1', port] = /^(?:\[?([^[\]]+?)\]?:)?(\d+)$/.exec(text)!
    return { host, port: Number(port) }
  })
  .refine(({ port }) => port < 65_536, 'has a port above 65535')
export type MetricsAddress = z.infer<typeof MetricsAddress>

export type MetricsPages = { metrics(): string; health(): { ok: boolean; detail: string } }

/**
 * Serves `/metrics` for Prometheus and `/health` (200, or 503 with the reason) at this address and nowhere else. Port 0 takes a free one. Throws
 * when the address is taken or not this machine's.
 */
export async function serveMetrics({ host, port }: MetricsAddress, pages: MetricsPages): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    const answer = (status: number, type: string, text: string): void => {
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
      response.end(request.method === 'HEAD' ? undefined : text)
    }
    const path = request.url?.split('?')[0]
    if (request.method !== 'GET' && request.method !== 'HEAD') answer(405, 'text/plain', 'GET /metrics or /health\n')
    else if (path === '/metrics') answer(200, prometheusType, pages.metrics())
    else if (path === '/health') {
      const health = pages.health()
      answer(health.ok ? 200 : 503, 'application/json', `${JSON.stringify(health)}\n`)
    } else answer(404, 'text/plain', 'GET /metrics or /health\n')
  })
  server.listen(port, host)
  await once(server, 'listening')
  const bound = server.address() as AddressInfo // a listening TCP server has an address record
  return {
    url: `http://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
