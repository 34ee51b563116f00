import { randomUUID } from 'node:crypto'
import { type ClientRequest, createServer, type IncomingMessage, request, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream'
import { type ProblemCode, problemBody, problems } from '#shared/contract/problem.ts'
import { type Admission, admitRequest, allowedMethods, type Door } from './admit-request.ts'

type Admitted = Exclude<Admission, { refused: string }>
export type Upstream = { hostname: string; port: number }
/** Where a door listens, the `name:port` by which visitors may call besides loopback names, and the secret that tells workerd who came through it. */
export type DoorPlace = { host: string; port: number; hosts: readonly string[]; secret: string }
export type DoorOptions = DoorPlace & { upstream(): Upstream }

const maxHeaderBytes = 64 * 1024

/**
 * The one way into the local Worker: an HTTP server before workerd that reads every request strictly, lets in what `admitRequest` admits,
 * and answers all else with a problem. Throws what `listen` throws.
 */
export async function openDoor(options: DoorOptions): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer({
    maxHeaderSize: maxHeaderBytes,
    // Longer than browsers keep an idle connection: whoever closes first must not be us while they send.
    keepAliveTimeout: 330_000,
    requireHostHeader: false,
    shouldUpgradeCallback: (message) => message.headers.upgrade?.toLowerCase() === 'websocket',
  })
  const listening = Promise.withResolvers<void>()
  server.once('error', listening.reject)
  server.listen(options.port, options.host, listening.resolve)
  await listening.promise
  const { port } = server.address() as { port: number } // it listens on TCP
  const door: Door = { port, hosts: options.hosts, secret: options.secret }
  const admit = (message: IncomingMessage) => admitRequest(arrivedFrom(message), door)
  // A connection for each request: on a kept one, workerd may be closing it while the next request is written, which then is lost.
  const onward = (message: IncomingMessage, { path, headers }: Admitted) =>
    request({ ...options.upstream(), agent: false, method: message.method, path, headers })
  server.on('request', (message, response) => {
    const admission = admit(message)
    if ('refused' in admission) refuse(message, response, admission.refused, admission.detail)
    else passOn(message, response, onward(message, admission))
  })
  server.on('upgrade', (message, socket, head) => {
    socket.on('error', () => socket.destroy())
    const admission = admit(message)
    if ('refused' in admission) return refuseRaw(socket, admission.refused, admission.detail)
    const headers = { ...admission.headers, connection: 'Upgrade', upgrade: 'websocket' }
    passUpgrade(socket, head, onward(message, { ...admission, headers }))
  })
  server.on('connect', (_, socket) => refuseRaw(socket, 'method-not-allowed', 'CONNECT is not a method of this service.'))
  server.on('clientError', (error, socket) => refuseMalformed(error, socket))
  return { port, close: () => closeServer(server) }
}

const arrivedFrom = (message: IncomingMessage) => ({
  method: message.method ?? '',
  target: message.url ?? '',
  rawHeaders: message.rawHeaders,
  remote_address: message.socket.remoteAddress,
  local_address: message.socket.localAddress,
})

function passOn(message: IncomingMessage, response: ServerResponse, onward: ClientRequest): void {
  onward.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage, endToEnd(answer.rawHeaders))
    response.flushHeaders()
    // A file or stream that breaks off must break off for the client too, and not look whole.
    pipeline(answer, response, (error) => error && response.destroy())
  })
  onward.on('error', () => {
    if (response.headersSent) response.destroy()
    else refuse(message, response, 'unavailable', 'The service starts again; try again in a moment.', { 'retry-after': '1' })
  })
  response.on('close', () => onward.destroy())
  message.on('error', () => onward.destroy())
  message.pipe(onward)
}

function passUpgrade(socket: Duplex, head: Buffer, onward: ClientRequest): void {
  onward.on('upgrade', (answer, far, first) => {
    far.on('error', () => far.destroy())
    socket.write(headText(answer.statusCode ?? 101, answer.rawHeaders))
    if (first.length > 0) socket.write(first)
    if (head.length > 0) far.write(head)
    pipeline(socket, far, () => far.destroy())
    pipeline(far, socket, () => socket.destroy())
  })
  onward.on('response', (answer) => {
    socket.write(headText(answer.statusCode ?? 502, [...endToEnd(answer.rawHeaders), 'Connection', 'close']))
    pipeline(answer, socket, () => socket.destroy())
  })
  onward.on('error', () => refuseRaw(socket, 'unavailable', 'The service starts again; try again in a moment.'))
  socket.on('close', () => onward.destroy())
  onward.end()
}

/** Header lines that mean the answer rather than its connection; how the body is framed is decided anew. */
function endToEnd(raw: readonly string[]): string[] {
  return raw.filter((_, at) => !/^(connection|keep-alive|transfer-encoding)$/i.test(raw[at - (at % 2)]!))
}

function headText(status: number, raw: readonly string[]): string {
  const lines = raw.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${raw[at + 1]}`] : []))
  return `${[`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines].join('\r\n')}\r\n\r\n`
}

function problemHeaders(code: ProblemCode, bytes: number, request_id: string): Record<string, string> {
  return {
    'content-type': 'application/problem+json',
    'content-length': String(bytes),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'x-request-id': request_id,
    ...(code === 'method-not-allowed' && { allow: allowedMethods.join(', ') }),
  }
}

function refuse(message: IncomingMessage, response: ServerResponse, code: ProblemCode, detail: string, more = {}): void {
  const request_id = randomUUID()
  const body = JSON.stringify(problemBody(code, detail, pathOf(message.url), request_id))
  response.writeHead(problems[code].status, { ...problemHeaders(code, Buffer.byteLength(body), request_id), ...more })
  response.end(message.method === 'HEAD' ? undefined : body)
  message.resume()
}

/** The same where there is no response to write to: tunnels, upgrades and what is no HTTP. */
function refuseRaw(socket: Duplex, code: ProblemCode, detail: string): void {
  if (!socket.writable) return void socket.destroy()
  const request_id = randomUUID()
  const body = JSON.stringify(problemBody(code, detail, '/', request_id))
  const raw = Object.entries({ ...problemHeaders(code, Buffer.byteLength(body), request_id), connection: 'close' }).flat()
  socket.end(headText(problems[code].status, raw) + body)
}

function refuseMalformed(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === 'HPE_HEADER_OVERFLOW')
    return refuseRaw(socket, 'headers-too-large', `Path and headers may have ${maxHeaderBytes / 1024} KiB together.`)
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return refuseRaw(socket, 'request-timeout', 'The request did not arrive in time.')
  if (error.code === 'ECONNRESET') return void socket.destroy()
  refuseRaw(socket, 'bad-request', 'This is not a well-formed HTTP request.')
}

const pathOf = (url = '/'): string => (url.startsWith('/') ? url.split(/[?#]/, 1)[0]! : '/')

async function closeServer(server: Server): Promise<void> {
  const closed = Promise.withResolvers<void>()
  server.close(() => closed.resolve())
  server.closeAllConnections()
  await closed.promise
}
