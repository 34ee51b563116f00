import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as z from 'zod'
import type { ExecRequest, ExecResult, Sandbox, SandboxSpec } from '#shared/solvers/sandbox.ts'
import type { SandboxProvider } from '../../../trial/resources.ts'

export type Route = 'create' | 'exec' | 'write' | 'read' | 'terminate' | 'resources'
/** What goes wrong with a request: another answer in its place, a cut before or after it was done, or a wait before it is answered. */
export type Fault =
  | { type: 'answer'; status: number; body: unknown }
  | { type: 'cut-before' | 'cut-after' }
  | { type: 'late'; until: Promise<unknown> }

/** A request as it came, and what it was answered; null where its connection was cut. */
export type Asked = { route: Route; method: string; url: URL; body: string; authorization: string | undefined; answer: Reply | null }

export type SandyServer = {
  url: string
  /** Requests of each route, in their order. */
  asked: readonly Asked[]
  /** Ids of the sandboxes that are there. */
  live(): string[]
  /** How many were ever made. */
  made(): number
  /** Takes a sandbox away, as a service does that needs its room: what runs in it ends. */
  preempt(id: string): Promise<void>
  close(): Promise<void>
}

export type SandyServerOptions = {
  /** What sandboxes are made of. */
  provider: SandboxProvider
  apiKey: string
  /** What the service gives each; a request has no words for it. */
  spec?: SandboxSpec
  /** Asked for each request, with how many of its route were before. */
  fault?: ((route: Route, before: number) => Fault | undefined) | undefined
  /** The form in which files are read. */
  reads?: 'json' | 'base64' | 'raw'
  resources?: object
  /** Where it listens; a free one where it is left out. */
  port?: number
}

type Box = Sandbox & AsyncDisposable
type Reply = { status: number; body: unknown }

/** Larger than what the contract asks for: its memory limit is held from inside, its disk is the service's. */
const usualSpec: SandboxSpec = { image: null, cpus: 1, memory_mb: 1024, disk_mb: 16, network: false }
const usualResources = {
  canCreateSandbox: true,
  limits: { maxSandboxes: 8 },
  cpuCount: 4,
  memoryAvailableBytes: 8 * 1024 ** 3,
  diskFreeBytes: 20 * 1024 ** 3,
}
const mostOutput = 64 * 1024 ** 2
const fileWork = { timeout_ms: 30_000, output_bytes: mostOutput }
const CreateBody = z.looseObject({ priority: z.literal(3), preemptable: z.literal(true), ttl_seconds: z.int().min(60) })
const ExecBody = z.strictObject({
  command: z.string(),
  cwd: z.string().default('/workspace'),
  env: z.record(z.string(), z.string()).default({}),
  timeoutMs: z.number().default(10_000),
})
const WriteBody = z.strictObject({ path: z.string(), content: z.string() })
const paths: readonly [RegExp, Route][] = [
  [/^POST \/api\/sandboxes$/, 'create'],
  [/^POST \/api\/sandboxes\/([^/]+)\/exec$/, 'exec'],
  [/^POST \/api\/sandboxes\/([^/]+)\/files\/write$/, 'write'],
  [/^GET \/api\/sandboxes\/([^/]+)\/files\/read$/, 'read'],
  [/^POST \/api\/sandboxes\/([^/]+)\/terminate$/, 'terminate'],
  [/^GET \/api\/resources$/, 'resources'],
]
const gone: Reply = { status: 404, body: { error: 'Sandbox not found (expired, terminated or preempted)' } }

/**
 * A service that speaks as Sandy does to its clients, on loopback, and really executes: each of its sandboxes is one of `provider`. Unlike there, what a
 * command left behind ends with it.
 */
export async function startSandyServer(options: SandyServerOptions): Promise<SandyServer> {
  const { provider, apiKey, spec = usualSpec, fault, reads = 'json', resources = usualResources } = options
  const boxes = new Map<string, Box>()
  const asked: Asked[] = []
  let made = 0
  let closed = false

  const remove = async (id: string): Promise<void> => {
    const box = boxes.get(id)
    boxes.delete(id)
    await box?.[Symbol.asyncDispose]()
  }
  const create = async (body: unknown): Promise<Reply> => {
    if (!CreateBody.safeParse(body).success) return { status: 422, body: { detail: [{ msg: 'invalid' }] } }
    const opened = await provider.open(spec, new AbortController().signal)
    if (!opened.ok) return { status: 503, body: { error: opened.failure.detail } }
    if (closed) {
      await opened.value[Symbol.asyncDispose]()
      return { status: 503, body: { error: 'closed' } }
    }
    const id = `sb/${randomUUID()}` // an id that is no path segment as it is
    boxes.set(id, opened.value)
    made++
    return { status: 200, body: { sandboxId: id, url: 'http://127.0.0.1/', createdAt: new Date(0).toISOString() } }
  }
  const exec = async (id: string, box: Box, body: unknown): Promise<Reply> => {
    const { success, data } = ExecBody.safeParse(body)
    if (!success) return { status: 422, body: { detail: 'invalid' } }
    const { command, cwd, env, timeoutMs } = data
    const request: ExecRequest = { argv: ['sh', '-c', command], cwd, env, timeout_ms: timeoutMs, output_bytes: mostOutput }
    const result = await box.exec(request)
    return boxes.has(id) ? { status: 200, body: execAnswer(result) } : gone
  }
  const write = async (box: Box, body: unknown): Promise<Reply> => {
    const { success, data } = WriteBody.safeParse(body)
    if (!success) return { status: 422, body: { detail: 'invalid' } }
    const argv = ['sh', '-c', 'mkdir -p "$(dirname "$1")" && cat > "$1"', 'sh', data.path] as const
    const { exit_code, stderr } = await box.exec({ argv, stdin: Buffer.from(data.content), ...fileWork })
    return exit_code === 0 ? { status: 200, body: { ok: true } } : { status: 500, body: { detail: textOf(stderr) } }
  }
  const read = async (box: Box, path: string): Promise<Reply> => {
    const { exit_code, stdout } = await box.exec({ argv: ['cat', '--', path], ...fileWork })
    if (exit_code !== 0) return { status: 404, body: { error: 'no such file' } }
    if (reads === 'raw') return { status: 200, body: Buffer.from(stdout) }
    const encoded =
      reads === 'base64' ? { content: Buffer.from(stdout).toString('base64'), encoding: 'base64' } : { content: textOf(stdout) }
    return { status: 200, body: encoded }
  }
  const handle = async (route: Route, id: string, body: unknown, url: URL): Promise<Reply> => {
    const box = boxes.get(id)
    switch (route) {
      case 'create':
        return create(body)
      case 'resources':
        return { status: 200, body: resources }
      case 'exec':
        return box ? exec(id, box, body) : gone
      case 'write':
        return box ? write(box, body) : gone
      case 'read':
        return box ? read(box, url.searchParams.get('path') ?? '') : gone
      case 'terminate':
        await remove(id)
        return box ? { status: 200, body: { ok: true } } : gone
    }
  }
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url!, 'http://127.0.0.1')
    const body = await bodyText(request)
    for (const [pattern, route] of paths) {
      const found = pattern.exec(`${request.method} ${url.pathname}`)
      if (!found) continue
      const { authorization } = request.headers
      const before = asked.filter((one) => one.route === route).length
      const one: Asked = { route, method: request.method!, url, body, authorization, answer: null }
      asked.push(one)
      const say = (answer: Reply): void => {
        one.answer = answer
        reply(response, answer)
      }
      if (authorization !== `Bearer ${apiKey}`) return say({ status: 401, body: { detail: `no such key: ${authorization}` } })
      const wrong = fault?.(route, before)
      if (wrong?.type === 'answer') return say(wrong)
      if (wrong?.type === 'cut-before') return void request.socket.destroy()
      if (wrong?.type === 'late') await wrong.until
      const done = await handle(route, decodeURIComponent(found[1] ?? ''), body === '' ? null : JSON.parse(body), url)
      if (wrong?.type === 'cut-after') return void request.socket.destroy()
      return say(done)
    }
    reply(response, { status: 404, body: { detail: 'Not Found' } })
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error) => response.destroy(error))
  }).listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // a listening TCP server has an address record
    asked,
    live: () => [...boxes.keys()],
    made: () => made,
    preempt: remove,
    async close() {
      closed = true
      server.closeAllConnections()
      server.close()
      await Promise.all([...boxes.keys()].map(remove))
    },
  }
}

/** As a service tells the end of a process that has no exit code: of one that was killed its signal, of a limit of its own its words. */
function execAnswer({ end, exit_code, stdout, stderr }: ExecResult): object {
  const told = { stdout: textOf(stdout), stderr: textOf(stderr) }
  if (end === 'timeout') return { stdout: '', stderr: 'Command timed out', exitCode: 124 }
  return { ...told, exitCode: exit_code ?? (end === 'out-of-memory' ? 137 : 1) }
}

function reply(response: ServerResponse, { status, body }: Reply): void {
  const raw = Buffer.isBuffer(body)
  response.writeHead(status, { 'content-type': raw ? 'application/octet-stream' : 'application/json' })
  response.end(raw ? body : JSON.stringify(body))
}

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
async function bodyText(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}
