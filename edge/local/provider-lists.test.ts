import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { providersFrom } from '#fleet/configured-providers.ts'
import { keepProviderLists } from './provider-lists.ts'

let server: Server | undefined
const stop = async (): Promise<void> => {
  server?.closeAllConnections()
  const closed = server && once(server, 'close')
  server?.close()
  server = undefined
  await closed
}
afterEach(stop)

/** Serves a list of models below `/v1` on a port; 0 takes a free one. Null as a list never answers. */
async function serve(port: number, models: () => string[] | null): Promise<number> {
  server = createServer(({ url }, response) => {
    const listed = models()
    if (listed === null) return
    response.statusCode = url === '/v1/models' ? 200 : 404
    response.end(JSON.stringify({ data: listed.map((id) => ({ id })) }))
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
const ids = (providers: readonly { models: readonly { id: string }[] }[]) => providers.flatMap(({ models }) => models.map(({ id }) => id))

test('[START520] a server started later is listed with its address; stopped or silent, it keeps its last list', async () => {
  const port = await serve(0, () => [])
  await stop()
  const env = { OPENAI_BASE_URL: `http://127.0.0.1:${port}` }
  const first = await providersFrom(env, fetch, () => undefined)
  const lists = keepProviderLists(first, env)
  expect(ids(await lists.read(20_000))).toEqual([])
  let models: string[] | null = ['late/one']
  await serve(port, () => models)
  const [late] = await lists.read(20_000)
  expect(late).toMatchObject({ id: 'openai', base_url: `http://127.0.0.1:${port}/v1`, models: [{ id: 'late/one' }] })
  models = ['late/two', 'late/three']
  expect(ids(await lists.read(20_000))).toEqual(['late/two', 'late/three'])
  models = null
  expect(ids(await lists.read(1))).toEqual(['late/two', 'late/three'])
  await stop()
  expect(await lists.read(20_000)).toMatchObject([
    { base_url: `http://127.0.0.1:${port}/v1`, models: [{ id: 'late/two' }, { id: 'late/three' }] },
  ])
})
