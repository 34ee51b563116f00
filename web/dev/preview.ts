import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { Readable } from 'node:stream'

/** Development only: serves the built Worker in Node, with the fixture API behind it: `node web/dev/preview.ts [port] [fixture port]`. */
const port = Number(process.argv[2] ?? 8790)
const FIXTURE_API = `http://127.0.0.1:${process.argv[3] ?? 8791}`
const worker = (await import(join(process.cwd(), 'dist/server/index.js'))).default
const kinds: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.woff2': 'font/woff2' }

createServer(async (request, response) => {
  const url = new URL(request.url!, `http://127.0.0.1:${port}`)
  const file =
    extname(url.pathname) && !url.pathname.startsWith('/api/')
      ? await readFile(join('dist/client', url.pathname)).catch(() => undefined)
      : undefined
  if (file) {
    response.writeHead(200, { 'content-type': kinds[extname(url.pathname)] ?? 'application/octet-stream' })
    return response.end(file)
  }
  const body = request.method === 'GET' ? undefined : (Readable.toWeb(request) as ReadableStream)
  const answer: Response = await worker.fetch(
    new Request(url, { method: request.method!, headers: request.headers as HeadersInit, ...(body ? { body, duplex: 'half' } : {}) }),
    { FIXTURE_API },
    {},
  )
  response.writeHead(answer.status, Object.fromEntries(answer.headers))
  if (answer.body)
    Readable.fromWeb(answer.body as never)
      .on('error', () => response.destroy())
      .pipe(response)
  else response.end()
}).listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${port}`))
