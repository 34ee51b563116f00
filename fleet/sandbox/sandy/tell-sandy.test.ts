import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createSandyTeller } from './tell-sandy.ts'

test('[OPS11] an agent asks its Sandy with its own key and hands the answer on; without an address it has nothing to tell', async () => {
  const asked: string[] = []
  const server = createServer(({ url, headers }, response) => {
    asked.push(`${url} ${headers.authorization}`)
    response.writeHead(url?.includes('stats') ? 500 : 200).end('[1]')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const tell = createSandyTeller({ SANDY_BASE_URL: `http://127.0.0.1:${port}`, SANDY_API_KEY: 'the-key' })!
  expect(await tell({ what: 'metrics', hours: 3 })).toEqual({ ok: true, body: '[1]' })
  expect(await tell({ what: 'resources' })).toEqual({ ok: true, body: '[1]' })
  expect(await tell({ what: 'sandboxes', ids: ['a/b', 'c'] })).toEqual({ ok: false, why: 'Sandy answered 500' })
  expect(asked).toEqual([
    '/api/metrics/timeseries?hours=3 Bearer the-key',
    '/api/resources Bearer the-key',
    '/api/sandboxes/stats?ids=a%2Fb,c Bearer the-key',
  ])
  server.close()
  server.closeAllConnections()
  await once(server, 'close')
  expect(await tell({ what: 'resources' })).toMatchObject({ ok: false, why: expect.stringContaining('does not answer') })
  expect(createSandyTeller({})).toBeNull()
  expect(createSandyTeller({ SANDY_BASE_URL: 'http://127.0.0.1:1' })).toBeNull()
})
