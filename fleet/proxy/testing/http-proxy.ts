import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'

type Options = {
  /** `user:password` that every request must bring. */
  credentials?: string
  /** Where a name leads that no resolver knows: host and port of this machine, or a status that the proxy answers with. */
  routes?: Record<string, number>
  /** Answers every request with this status, whatever it asks for. */
  refusing?: number
}

/** An HTTP proxy for tests: passes on plain requests and tunnels, and keeps the first line of each. `routes` lead names to ports of this machine. */
export async function openHttpProxy({ credentials, routes = {}, refusing }: Options = {}) {
  const asked: string[] = []
  const authorizations: (string | undefined)[] = []
  const tunnels = new Set<Socket>()
  const wanted = credentials === undefined ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`
  const refusalOf = (req: IncomingMessage): number | undefined => {
    asked.push(`${req.method} ${req.url}`)
    authorizations.push(req.headers['proxy-authorization'])
    return refusing ?? (wanted !== undefined && req.headers['proxy-authorization'] !== wanted ? 407 : undefined)
  }
  const server = createServer((req: IncomingMessage, res: ServerResponse) => {
    const refused = refusalOf(req)
    const url = URL.parse(req.url ?? '')
    if (refused !== undefined || !url) return void res.writeHead(refused ?? 400).end('the proxy says no')
    const { 'proxy-authorization': _, ...headers } = req.headers
    const port = routes[url.host] ?? Number(url.port)
    const passed = request(
      { host: '127.0.0.1', port, method: req.method, path: url.pathname + url.search, headers, agent: false },
      (answer) => {
        res.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(res)
      },
    )
    passed.on('error', () => res.headersSent || res.writeHead(502).end())
    req.pipe(passed)
  })
  server.on('connect', (req: IncomingMessage, socket: Socket, head: Buffer) => {
    const refused = refusalOf(req)
    if (refused !== undefined) return void socket.end(`HTTP/1.1 ${refused} No\r\ncontent-length: 0\r\n\r\n`)
    const port = routes[req.url ?? ''] ?? Number(req.url?.split(':').at(-1))
    const through = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\nvia: test\r\n\r\n')
      through.write(head)
      through.pipe(socket).pipe(through)
    })
    tunnels.add(socket).add(through)
    through.on('error', () => socket.end('HTTP/1.1 502 Bad gateway\r\n\r\n'))
    socket.on('error', () => through.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a listening TCP server has an address record
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    authorizations,
    [Symbol.asyncDispose]: async () => {
      for (const one of tunnels) one.destroy()
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
