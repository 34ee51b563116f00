import { closeCodes } from '#shared/contract/frame.ts'
import type { AgentSocket } from '../run/agent-socket.ts'

/** Returns when the object accepted the connection, in ms since 1970. */
export const openedMsIn =
  (ctx: DurableObjectState) =>
  (socket: AgentSocket): number =>
    Number(ctx.getTags(socket as WebSocket)[0]) // an object's shell has its sockets from the platform

/**
 * Takes the server end of a WebSocket into the object, hibernating, and answers with the other end; undefined for a plain request. An object
 * that holds nothing closes it at once: one that may hibernate would leave the caller waiting ten seconds for the close.
 */
export function acceptSocket(ctx: DurableObjectState, request: Request, known: boolean): Response | undefined {
  if (request.headers.get('upgrade') !== 'websocket') return undefined
  const { 0: client, 1: socket } = new WebSocketPair()
  if (known) ctx.acceptWebSocket(socket, [String(Date.now())])
  else {
    socket.accept()
    socket.close(closeCodes.unknownRun, 'This object holds no such run.')
  }
  return new Response(null, { status: 101, webSocket: client })
}
