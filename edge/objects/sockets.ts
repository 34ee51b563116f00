import * as z from 'zod'
import { closeCodes, type FleetDown, maxFrameChars, type RunDown } from '#shared/contract/frame.ts'
import { commonProtocol, protocolRefusal, protocols, rangeText, Spoken } from '#shared/contract/protocol.ts'

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

/** Any hello, whatever else it says: one of a version far from ours may look like nothing we know. */
const AnyHello = z.object({ type: z.literal('hello'), ...Spoken.shape })

/** A frame that fits its schema; the socket is closed with the sentence that says what is wrong with any other. */
export function readFrame<T>(schema: z.ZodType<T>, socket: WebSocket, message: string | ArrayBuffer): T | undefined {
  const said = jsonOf(message)
  const frame = schema.safeParse(said)
  if (frame.success) return frame.data
  const hello = AnyHello.safeParse(said)
  if (!hello.success || agreedProtocol(socket, hello.data) !== null)
    socket.close(closeCodes.badFrame, `The frame does not fit ${rangeText(protocols)}.`)
  return undefined
}

function jsonOf(message: string | ArrayBuffer): unknown {
  try {
    return typeof message === 'string' && message.length <= maxFrameChars ? JSON.parse(message) : undefined
  } catch {
    return undefined
  }
}

/** The newest protocol that both sides speak; where there is none, null, and the agent is told which side to upgrade. */
export function agreedProtocol(socket: WebSocket, hello: Spoken): number | null {
  const protocol = commonProtocol(hello)
  if (protocol === null) socket.close(closeCodes.protocol, protocolRefusal(hello))
  return protocol
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
