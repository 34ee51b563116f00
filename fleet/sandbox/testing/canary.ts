import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Canary } from '../attacks.ts'
import { plantCanary } from '../planted-canary.ts'

/** What attacks try to reach on this machine, and what reached it so far: `port`, `socket`. */
export type OpenCanary = { canary: Canary; folder: string; reached: readonly string[] } & AsyncDisposable

/** Puts up a file, a port, an abstract socket, a word in this process's environment and files beside program and data for attacks to find. */
export async function openCanary(): Promise<OpenCanary> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-canary-'))
  const reached: string[] = []
  const listen = (name: string, where: { port: number; host: string } | { path: string }): Promise<Server> =>
    new Promise((resolve, reject) => {
      const server = createServer((one) => {
        reached.push(name)
        one.destroy()
      })
      server.once('error', reject)
      server.listen(where, () => resolve(server))
    })
  const word = `canary${process.pid}canary`
  const socket = `bench-canary-${process.pid}-${folder.slice(-6)}`
  const file = join(folder, 'canary')
  await writeFile(file, word)
  process.env.BENCH_CANARY = word
  const planted = plantCanary()
  const onPort = await listen('port', { port: 0, host: '127.0.0.1' })
  const onSocket = await listen('socket', { path: `\0${socket}` })
  const { port } = onPort.address() as { port: number } // a server of TCP
  return {
    canary: { file, port, socket, word, planted },
    folder,
    reached,
    [Symbol.asyncDispose]: async () => {
      delete process.env.BENCH_CANARY
      planted[Symbol.dispose]()
      onPort.close()
      onSocket.close()
      await rm(folder, { recursive: true })
    },
  }
}
