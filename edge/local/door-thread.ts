import { parentPort, workerData } from 'node:worker_threads'
import { type DoorOptions, type DoorPlace, openDoor, type Upstream } from './door.ts'
import { listensOn, loopback } from './listen.ts'

/** What a door's thread begins with, and what it is told afterwards. */
export type DoorStart = DoorPlace & { upstream: Upstream }
export type DoorWord = { type: 'lead'; upstream: Upstream } | { type: 'close' }

/** The same door at every address that `host` stands for, all with the port of the first. */
async function openDoors(options: DoorOptions): Promise<{ port: number; close(): Promise<void> }> {
  const [first = loopback, ...others] = listensOn(options.host)
  const door = await openDoor({ ...options, host: first })
  const open = [door]
  const close = async () => void (await Promise.all(open.map((one) => one.close())))
  try {
    for (const host of others) open.push(await openDoor({ ...options, host, port: door.port }))
  } catch (error) {
    await close()
    throw error
  }
  return { port: door.port, close }
}

let { upstream, ...place } = workerData as DoorStart
const doors = await openDoors({ ...place, upstream: () => upstream })
parentPort!.on('message', (word: DoorWord) => {
  if (word.type === 'lead') upstream = word.upstream
  else void doors.close().then(() => parentPort!.close())
})
parentPort!.postMessage(doors.port)
