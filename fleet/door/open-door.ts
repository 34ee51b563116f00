import { randomBytes } from 'node:crypto'
import type { Outcome } from '#shared/contract/failure.ts'
import type { Machine } from '#shared/solvers/machine.ts'
import type { ModelDoor } from '#shared/solvers/model-door.ts'
import { openRelay } from './relay.ts'
import { type ChatPort, createChatServer } from './serve-chat.ts'

/** How long the relay may outlive the deadline of who works, in milliseconds, so that it is closed and does not end by itself. */
const beyond_ms = 60_000
const longest_ms = 2 ** 31 - 1

/** What a door is made with; `ask` gives up when the signal that it is handed aborts. `left_ms`: null where nothing bounds it. */
export type DoorMeans = Omit<ChatPort, 'token' | 'ask'> & {
  askUntil(signal: AbortSignal): ChatPort['ask']
  left_ms: number | null
}

/** Opens a door to the model in a machine; `signal` closes it. */
export async function openModelDoor(
  machine: Machine,
  { askUntil, left_ms, ...means }: DoorMeans,
  signal: AbortSignal,
): Promise<Outcome<ModelDoor>> {
  signal.throwIfAborted()
  const closing = new AbortController()
  const ask = askUntil(closing.signal)
  const token = `bench-${randomBytes(24).toString('base64url')}`
  const { server, told } = createChatServer({ ...means, token, ask })
  const timeout_ms = Math.min(longest_ms, (left_ms ?? longest_ms) + beyond_ms)
  const relay = await openRelay(machine, timeout_ms, (socket) => {
    if (closing.signal.aborted) socket.destroy()
    else server.emit('connection', socket)
  })
  if (!relay.ok) return relay
  const { port, close } = relay.value
  const end = async (): Promise<void> => {
    closing.abort(new Error('the door is closed'))
    await close()
  }
  signal.addEventListener('abort', end, { once: true })
  return {
    ok: true,
    value: {
      base_url: `http://127.0.0.1:${port}/v1`,
      model: means.model,
      token,
      told,
      close: async () => {
        signal.removeEventListener('abort', end)
        await end()
      },
    },
  }
}
