import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { connectEngine } from './engine.ts'
import { waitForEnd } from './wait-for-end.ts'

let server: Server | undefined
afterEach(() => server?.close())

/** An engine that answers every wait with these pieces, and breaks the connection where `breaks` is set. */
async function engineThatSays(pieces: readonly string[], { status = 200, breaks = false } = {}) {
  server = createServer((request, response) => {
    expect(request.url).toBe('/containers/abc/wait?condition=removed')
    response.writeHead(status, { 'content-type': 'application/json' })
    response.flushHeaders()
    for (const piece of pieces) response.write(piece)
    if (breaks) setImmediate(() => response.destroy())
    else response.end()
  })
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve))
  return connectEngine({ protocol: 'http', host: '127.0.0.1', port: (server.address() as AddressInfo).port })
}

test('[SBX75] a wait gives the exit code that the engine sends at its end', async () => {
  expect(await waitForEnd(await engineThatSays(['{"Status', 'Code":40}\n']), 'abc', 'removed')).toBe(40)
})

test.each([[[]], [['{"Status']]])('[SBX75] a wait ends when the engine goes away in the middle of its answer: %j', async (pieces) => {
  await expect(waitForEnd(await engineThatSays(pieces, { breaks: true }), 'abc', 'removed')).rejects.toThrow()
})

test('[SBX75] a wait for a container that is not there fails', async () => {
  await expect(waitForEnd(await engineThatSays(['{"message":"none"}'], { status: 404 }), 'abc', 'removed')).rejects.toThrow()
})
