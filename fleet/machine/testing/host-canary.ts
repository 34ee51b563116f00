import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { networkInterfaces } from 'node:os'

/** Servers of this host that nothing in a container may reach. */
export type HostCanary = {
  /** `address:port` of each server, the loopback first; an IPv6 address is in brackets. */
  hosts: readonly string[]
  /** Every connection and every request that came to one of them. */
  asked: readonly string[]
  close(): void
}

/** Opens a server on the loopback and on each address of this host. */
export async function openHostCanary(): Promise<HostCanary> {
  const own = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
  const addresses = own.filter(({ scopeid }) => !scopeid).map(({ address }) => address)
  const asked: string[] = []
  const servers: { server: Server; host: string }[] = []
  for (const address of addresses) {
    const server = createServer((request, response) => {
      asked.push(`${address} ${request.url}`)
      response.end('reached')
    })
    server.on('connection', () => asked.push(`${address} connected`))
    server.listen(0, address)
    await once(server, 'listening')
    const { port } = server.address() as { port: number } // it listens on a port
    servers.push({ server, host: address.includes(':') ? `[${address}]:${port}` : `${address}:${port}` })
  }
  return {
    asked,
    hosts: servers.map(({ host }) => host),
    close: () => servers.forEach(({ server }) => void server.close()),
  }
}

/** A shell script that connects to each of these hosts and goes on: Bash does so by itself, over IPv4. */
export const connectScript = (hosts: readonly string[]): string =>
  hosts
    .filter((host) => !host.startsWith('['))
    .map((host) => `bash -c '(echo GET / > /dev/tcp/${host.replace(':', '/')}) 2>/dev/null && echo REACHED; true'`)
    .join('\n')
