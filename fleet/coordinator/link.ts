import { randomUUID } from 'node:crypto'
import WebSocket from 'ws'
import type { Clock } from '#shared/run/clock.ts'
import { processClock } from '../process-clock.ts'

/** One connection. What is sent, a text or its bytes in UTF-8, goes out in order, or not at all once it is gone. */
export type Wire = {
  isOpen(): boolean
  send(text: string | Buffer): void
  /** Ends it with the word that it is done. */
  close(): void
  /** Ends it at once: nobody may be there. */
  cut(): void
}

export type WireEvents = {
  onOpen(): void
  onMessage(text: string): void
  /** The other side answered the call with this HTTP status instead of a connection. */
  onRefused(status: number): void
  /** The connection is gone, or never came; `why` is what the system says of it. */
  onGone(code: number, reason: string, why: string | undefined): void
}

/** How an agent reaches its edge: by connections it dials out, in time, with chance against everybody trying at once, and known by an id. */
export type Link = { clock: Clock; random(): number; newId(): string; dial(url: string, token: string, events: WireEvents): Wire }

/** Masks keep what is sent from being taken for HTTP by a proxy on the way. None stands on loopback, and none looks into TLS: there they are work for nothing. */
export function isUnseen(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'wss:' || hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname)
}

const noMask = (mask: Buffer): void => void mask.fill(0)

function dialWebSocket(url: string, token: string, events: WireEvents): Wire {
  let why: string | undefined
  const socket = new WebSocket(url, {
    headers: { authorization: `Bearer ${token}` },
    perMessageDeflate: false,
    ...(isUnseen(url) && { generateMask: noMask }),
    handshakeTimeout: 10_000,
    maxPayload: 64 * 1024 * 1024,
  })
  socket.on('open', events.onOpen)
  socket.on('message', (data) => events.onMessage(data.toString()))
  socket.on('unexpected-response', (request, response) => {
    response.resume()
    request.destroy()
    events.onRefused(response.statusCode ?? 0)
  })
  socket.on('error', (error: NodeJS.ErrnoException) => {
    why = error.code ?? error.message // always followed by close
  })
  socket.on('close', (code, reason) => events.onGone(code, reason.toString(), why))
  return {
    isOpen: () => socket.readyState === WebSocket.OPEN,
    send: (text) => socket.send(text, { binary: false }),
    close: () => socket.close(1000),
    cut: () => socket.terminate(),
  }
}

/** The process' own clock, chance and network. */
export const processLink: Link = { clock: processClock, random: Math.random, newId: randomUUID, dial: dialWebSocket }
