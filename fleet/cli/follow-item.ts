import type * as z from 'zod'
import { RunItemDetail } from '#shared/contract/api.ts'
import { LiveMessage } from '#shared/contract/live.ts'
import type { Client } from './client.ts'
import { CommandError, type Io } from './io.ts'
import { createLiveLines } from './live-lines.ts'
import { sseMessages } from './sse.ts'

/** Streams in a row that may break without a word. */
const reconnects = 30
/** A record reaches the database a second or two after its trial. */
const looks = 30
const lookMs = 1000

/**
 * Shows an item: its record where it has one, else how it is being answered until it has. `path` is the item's, with its epoch. With `json` each
 * message of the stream is a line.
 */
export async function followItem(client: Client, io: Io, path: string, json: boolean): Promise<z.infer<typeof RunItemDetail>> {
  const recorded = await findRecord(client, path)
  if (recorded) return recorded
  const lines = createLiveLines(io)
  const [item, query] = path.split('?')
  for (let failures = 0, ended = false; !ended; ) {
    const response = await client.open(`${item}/live?${query}`, { accept: 'text/event-stream' })
    try {
      for await (const { data } of sseMessages(response)) {
        const message = LiveMessage.parse(JSON.parse(data))
        failures = 0
        if (json) io.out(JSON.stringify(message))
        else lines.take(message)
        ended ||= message.type === 'done'
      }
    } catch (cause) {
      if (io.signal.aborted) throw new CommandError('interrupted', 'interrupted', null, { cause })
    }
    if (ended) break
    if (failures++ >= reconnects) throw new CommandError('The stream of this item breaks again and again.', 'unreachable')
    await io.pause(1000)
  }
  for (let look = 0; look < looks; look++) {
    const record = await findRecord(client, path)
    if (record) return record
    await io.pause(lookMs)
  }
  throw new CommandError('It has ended without a result: the run was canceled, or went on without it.', 'item-not-found')
}

/** The item with its record; undefined while it has none. */
async function findRecord(client: Client, path: string): Promise<z.infer<typeof RunItemDetail> | undefined> {
  try {
    return await client.get(path, RunItemDetail)
  } catch (error) {
    if (error instanceof CommandError && error.code === 'item-not-found') return undefined
    throw error
  }
}
