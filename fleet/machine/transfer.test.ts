import { once } from 'node:events'
import { createServer } from 'node:http'
import Docker from 'dockerode'
import { expect, test } from 'vitest'
import { downloadTree, packTree } from './transfer.ts'

const never = new AbortController().signal
const text = new TextEncoder().encode('1\n')

/** An engine that aborts the first `times` archives of a file, as Docker does when the file changes its size. */
async function engineThatBreaksOff(times: number) {
  const stat = Buffer.from(JSON.stringify({ name: 'reward.txt', mode: 0o644, size: text.length })).toString('base64')
  const archive = Buffer.from(await packTree([{ path: 'reward.txt', mode: 0o644, bytes: text }]))
  let read = 0
  const server = createServer(({ method }, response) => {
    response.setHeader('x-docker-container-path-stat', stat)
    if (method === 'HEAD') return void response.end()
    if (++read > times) return void response.end(archive)
    response.write(archive.subarray(0, 513), () => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number } // it listens on a port
  const container = new Docker({ host: '127.0.0.1', port }).getContainer('x')
  return { container, read: () => read, [Symbol.dispose]: () => void server.close() }
}

test('[MACH431] a file that changes its size while it is read is read again, five times in all', async () => {
  using late = await engineThatBreaksOff(4)
  const read = await downloadTree(late.container, '/logs/reward.txt', 1000, never)
  expect(read).toEqual({ ok: true, folder: false, files: [{ path: 'reward.txt', mode: 0o644, bytes: text }] })
  using broken = await engineThatBreaksOff(99)
  expect(await downloadTree(broken.container, '/logs/reward.txt', 1000, never)).toEqual({ ok: false, reason: 'unavailable' })
  expect([late.read(), broken.read()]).toEqual([5, 5])
})
