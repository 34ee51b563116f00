import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Request as WorkerRequest } from 'miniflare'
import { afterEach, expect, test, vi } from 'vitest'
import { outboundThrough } from './outbound.ts'

afterEach(() => vi.unstubAllGlobals())

test('[AGENT354] the Worker’s own calls go through the proxies of its host, with their body, and by themselves where there is none', async () => {
  const server = createServer((req, res) => {
    let body = ''
    req.on('data', (chunk) => (body += String(chunk)))
    req.on('end', () => res.writeHead(201, { 'x-told': 'yes' }).end(`${req.method} ${body} ${req.headers['x-asked']}`))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a listening TCP server has an address record
  const real = fetch
  const asked: string[] = []
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    asked.push(url)
    return real(`http://127.0.0.1:${port}/`, init)
  })
  const outbound = outboundThrough({ HTTPS_PROXY: 'http://proxy:3128' })
  const answer = await outbound!(new WorkerRequest('https://api.example/x', { method: 'POST', body: 'hello', headers: { 'x-asked': '7' } }))
  expect([answer.status, answer.headers.get('x-told'), await answer.text(), asked]).toEqual([
    201,
    'yes',
    'POST hello 7',
    ['https://api.example/x'],
  ])
  expect(outboundThrough({ NO_PROXY: '*' })).toBeUndefined()
  server.close()
})
