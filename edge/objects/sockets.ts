import type * as z from 'zod'
import { closeCodes, type FleetDown, maxFrameChars, protocolVersion, type RunDown } from '#shared/contract/frame.ts'

/** Who is at the other end of an agent's socket, once it has said hello, and whether it has got the owner's key; kept with the socket over hibernation. */
export type Held = { session: string; agent_id: string; keyed?: boolean }

/**
 * Takes the server end of a WebSocket into the object, hibernating, and answers with the other end; undefined for a plain request. An object
 * that holds nothing closes it at once: one that may hibernate would leave the caller waiting ten seconds for the close.
 */
export function acceptSocket(ctx: DurableObjectState, request: Request, known: boolean): Response | undefined {
  if (request.headers.get('upgrade') !== 'websocket') return undefined
  const { 0: client, 1: socket } = new WebSocketPair()
  if (known) ctx.acceptWebSocket(socket)
  else {
    socket.accept()
    socket.close(closeCodes.unknownRun, 'This object holds no such run.')
  }
  return new Response(null, { status: 101, webSocket: client })
}

/** A frame that fits its schema; the socket is closed with the sentence that says what is wrong with any other. */
export function readFrame<T>(schema: z.ZodType<T>, socket: WebSocket, message: string | ArrayBuffer): T | undefined {
  try {
    if (typeof message === 'string' && message.length <= maxFrameChars) return schema.parse(JSON.parse(message))
  } catch {
    // Falls through to the one answer for everything that is no frame.
  }
  socket.close(closeCodes.badFrame, `The frame does not fit protocol version ${protocolVersion}.`)
  return undefined
}

/** Whether both sides speak one protocol; an agent of another version is told which side to upgrade. */
export function speaksOurs(socket: WebSocket, protocol: number): boolean {
  if (protocol === protocolVersion) return true
  socket.close(closeCodes.protocol, `This edge speaks protocol ${protocolVersion}, the agent ${protocol}. Upgrade the older one.`)
  return false
}

/**
 * The newest connection of an agent wins. The older ones forget who they are before they are closed: a claim still on its way over one of
 * them would lease trials nobody hears of.
 */
export function replaceOthers(ctx: DurableObjectState, socket: WebSocket, agent_id: string): void {
  for (const other of ctx.getWebSockets()) {
    const held = other.deserializeAttachment() as Held | null // written by the objects on hello
    if (other === socket || held?.agent_id !== agent_id) continue
    other.serializeAttachment(null)
    other.close(closeCodes.replaced, 'A newer connection of this agent took over.')
  }
}

/** Whether no other connection of this session is open. */
export function isLastOf(ctx: DurableObjectState, socket: WebSocket, session: string): boolean {
  const sessions = ctx
    .getWebSockets()
    .filter((other) => other !== socket)
    .map((other) => other.deserializeAttachment() as Held | null)
  return !sessions.some((held) => held?.session === session)
}

export function sendFrame(socket: WebSocket, frame: FleetDown | RunDown): void {
  try {
    socket.send(JSON.stringify(frame))
  } catch {
    // The socket closed while we worked; its close event does what is to be done.
  }
}
