import { expect, test } from 'vitest'
import { type AgentSocket, cameBefore, type Held, replaceOthers } from './agent-socket.ts'

/** A connection of an agent that was taken in at `openedMs`, and by which code it was closed. */
function socketOf(openedMs: number, agent_id: string | null) {
  const kept = { held: agent_id && { session: `session-${openedMs}`, agent_id }, closed: null as number | null, openedMs }
  const socket: AgentSocket & { kept: typeof kept } = {
    kept,
    send: () => undefined,
    close(code) {
      kept.closed = code
    },
    serializeAttachment(held) {
      kept.held = held as typeof kept.held
    },
    deserializeAttachment: () => kept.held,
  }
  return socket
}
type Socket = ReturnType<typeof socketOf>
const greet = (sockets: readonly Socket[], socket: Socket): boolean =>
  replaceOthers(sockets, socket, 'a', (each) => (each as Socket).kept.openedMs)
const codesOf = (sockets: readonly Socket[]) => sockets.map(({ kept }) => kept.closed)

test('[LEASE5] a hello over a new connection closes the older ones of its agent, and no other', () => {
  const sockets = [socketOf(1000, 'a'), socketOf(2000, 'b'), socketOf(2000, null), socketOf(2000, null)]
  expect(greet(sockets, sockets[3]!)).toBe(true)
  expect(codesOf(sockets)).toEqual([4009, null, null, null])
  expect(sockets[0]!.kept.held).toBeNull()
})

test('[LEASE5] a hello that comes late, over a connection older than the one in place, takes nothing over', () => {
  const sockets = [socketOf(1000, null), socketOf(1001, 'a')]
  expect(greet(sockets, sockets[0]!)).toBe(false)
  expect(codesOf(sockets)).toEqual([1013, null]) // tried again: what lives still comes over a newer connection
  expect(sockets[1]!.kept.held).toMatchObject({ agent_id: 'a' })
})

test('[LEASE5] a clock that was set back locks no agent out', () => {
  const sockets = [socketOf(1000, null), socketOf(3_600_000, 'a')]
  expect(greet(sockets, sockets[0]!)).toBe(true)
  expect(codesOf(sockets)).toEqual([null, 4009])
})

test('[LEASE331] a claim or a hello that comes twice over a connection came before; the next claim did not', () => {
  const socket = socketOf(1000, 'a')
  const came = (frame: { type: 'claim'; count: number; ask: number } | { type: 'renew' }): boolean =>
    cameBefore(socket, socket.deserializeAttachment() as Held | null, frame)
  const claims = [1, 1, 2, 1, 2, 3].map((ask) => came({ type: 'claim', count: 4, ask }))
  expect(claims).toEqual([false, true, false, true, true, false])
  expect([came({ type: 'renew' }), came({ type: 'renew' })]).toEqual([false, false])
  const hello = { type: 'hello', agent_id: 'a', session: 's', holding: [] } as never
  expect([cameBefore(socket, null, hello), cameBefore(socket, socket.deserializeAttachment() as Held, hello)]).toEqual([false, true])
})
