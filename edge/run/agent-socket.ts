import * as z from 'zod'
import { fitsAsItIs } from '#shared/contract/fits.ts'
import { closeCodes, type FleetDown, maxFrameChars, type RunDown, RunUp } from '#shared/contract/frame.ts'
import { commonProtocol, protocolRefusal, protocols, rangeText, Spoken } from '#shared/contract/protocol.ts'
import { type ReportFrame, readReportLines, textOfRecord, type WrittenReport } from './report-lines.ts'

/** An object's end of a connection to an agent, with what is kept about it while the object sleeps. */
export type AgentSocket = {
  send(text: string): void
  close(code: number, reason: string): void
  serializeAttachment(kept: unknown): void
  deserializeAttachment(): unknown
}

/**
 * The agent behind a socket after its hello: its session, its protocol, whether it has the owner's key and when that ends, and its last claim;
 * kept with the socket over hibernation.
 */
export type Held = {
  session: string
  agent_id: string
  keyed?: boolean
  key_ends?: { since_ms: number; until_ms: number }
  ask?: number
}

/** Whether a frame came before over this connection: a gateway may deliver frames twice. Notes a claim that did not. */
export function cameBefore(socket: AgentSocket, held: Held | null, frame: RunUp | WrittenReport): boolean {
  if (frame.type === 'hello') return held !== null
  if (frame.type !== 'claim' || held === null) return false
  if (frame.ask <= (held.ask ?? 0)) return true
  held.ask = frame.ask
  socket.serializeAttachment(held)
  return false
}

/** Any hello, whatever else it says: one of a version far from ours may look like nothing we know. */
const AnyHello = z.object({ type: z.literal('hello'), ...Spoken.shape })

/** A frame that fits its schema; the socket is closed with the sentence that says what is wrong with any other. */
export function readFrame<T>(
  schema: z.ZodType<T>,
  socket: Pick<AgentSocket, 'close'>,
  message: unknown,
  isFrame?: (said: unknown) => said is T,
): T | undefined {
  const said = jsonOf(message)
  if (isFrame?.(said)) return said
  const frame = schema.safeParse(said)
  if (frame.success) return frame.data
  const hello = AnyHello.safeParse(said)
  if (!hello.success || agreedProtocol(socket, hello.data) !== null)
    socket.close(closeCodes.badFrame, `The frame does not fit ${rangeText(protocols)}.`)
  return undefined
}

const isRunUp = fitsAsItIs(RunUp)

/**
 * A frame to a run. To parse a report costs as much as all else that is done with it, and nearly every one is right as it is: then its records have
 * their texts with them.
 */
export function readRunUp(socket: Pick<AgentSocket, 'close'>, message: unknown): Exclude<RunUp, ReportFrame> | WrittenReport | undefined {
  const report = parsed(message, readReportLines)
  if (!report || !isRunUp(report.said) || report.said.type !== 'report') return readFrame(RunUp, socket, message, isRunUp)
  const { results } = report.said
  return { ...report.said, texts: report.lines.map((line, at) => textOfRecord(line, results[at]!)) }
}

const jsonOf = (message: unknown): unknown => parsed<unknown>(message, JSON.parse)

function parsed<T>(message: unknown, parse: (text: string) => T): T | undefined {
  try {
    return typeof message === 'string' && message.length <= maxFrameChars ? parse(message) : undefined
  } catch {
    return undefined
  }
}

/** The newest protocol that both sides speak; where there is none, null, and the agent is told which side to upgrade. */
export function agreedProtocol(socket: Pick<AgentSocket, 'close'>, hello: Spoken): number | null {
  const protocol = commonProtocol(hello)
  if (protocol === null) socket.close(closeCodes.protocol, protocolRefusal(hello))
  return protocol
}

/** A hello that comes later than this after its connection was made does not come: the clock was set back meanwhile. */
const longestHelloMs = 60_000

/**
 * The newest connection of an agent wins; false, with `socket` closed, where that is another one: the hello of a process that was killed may
 * come after that of the next. The older ones forget who they are before they are closed: a claim still on its way over one of them would lease
 * trials nobody hears of.
 */
export function replaceOthers(
  sockets: readonly AgentSocket[],
  socket: AgentSocket,
  agent_id: string,
  openedMs: (socket: AgentSocket) => number,
): boolean {
  const others = sockets.filter((other) => {
    const held = other.deserializeAttachment() as Held | null // written by the objects on hello
    return other !== socket && held?.agent_id === agent_id
  })
  const laterMs = others.map((other) => openedMs(other) - openedMs(socket))
  if (laterMs.some((ms) => ms > 0 && ms < longestHelloMs)) {
    socket.close(closeCodes.tryAgain, 'A newer connection of this agent is open.')
    return false
  }
  for (const other of others) {
    other.serializeAttachment(null)
    other.close(closeCodes.replaced, 'A newer connection of this agent took over.')
  }
  return true
}

/** Whether no other connection of this session is open. */
export function isLastOf(sockets: readonly AgentSocket[], socket: AgentSocket, session: string): boolean {
  const sessions = sockets.filter((other) => other !== socket).map((other) => other.deserializeAttachment() as Held | null)
  return !sessions.some((held) => held?.session === session)
}

/** The connection over which a session has said hello, and what is known of it. */
export function findSession<S extends AgentSocket>(sockets: readonly S[], session: string): { socket: S; held: Held } | undefined {
  for (const socket of sockets) {
    const held = socket.deserializeAttachment() as Held | null // written by the objects on hello
    if (held?.session === session) return { socket, held }
  }
  return undefined
}

export function sendFrame(socket: Pick<AgentSocket, 'send'>, frame: FleetDown | RunDown): void {
  try {
    socket.send(JSON.stringify(frame))
  } catch {
    // The socket closed while we worked; its close event does what is to be done.
  }
}
