import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import WebSocket from 'ws'
import * as z from 'zod'
import type { Clock } from '#shared/run/clock.ts'
import { processClock } from '../process-clock.ts'
import { proxyFor } from '../proxy/proxy-env.ts'
import { ProxyError, tunnelAgent } from '../proxy/tunnel.ts'

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
  /** The other side answered the call with this HTTP status instead of a connection; `said` is its own sentence about it. */
  onRefused(status: number, said?: string | null): void
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

const handshakeMs = 10_000

const noMask = (mask: Buffer): void => void mask.fill(0)

function dialWebSocket(url: string, token: string, events: WireEvents): Wire {
  let why: string | undefined
  const proxy = proxyFor(url)
  const secure = new URL(url).protocol === 'wss:'
  const socket = new WebSocket(url, {
    ...(proxy && { agent: tunnelAgent(proxy, secure, handshakeMs) }),
    headers: { authorization: `Bearer ${token}` },
    perMessageDeflate: false,
    ...(isUnseen(url) && { generateMask: noMask }),
    handshakeTimeout: handshakeMs,
    maxPayload: 64 * 1024 * 1024,
  })
  socket.on('open', events.onOpen)
  socket.on('message', (data) => events.onMessage(data.toString()))
  socket.on('unexpected-response', (request, response) => {
    void sentenceOf(response).then((said) => {
      request.destroy()
      events.onRefused(response.statusCode ?? 0, said)
    })
  })
  socket.on('error', (error: NodeJS.ErrnoException) => {
    why = error instanceof ProxyError ? error.message : (error.code ?? error.message) // always followed by close
  })
  socket.on('close', (code, reason) => events.onGone(code, reason.toString(), why))
  return {
    isOpen: () => socket.readyState === WebSocket.OPEN,
    send: (text) => socket.send(text, { binary: false }),
    close: () => socket.close(1000),
    cut: () => socket.terminate(),
  }
}

/** What a refusal says of itself: `detail` or `title` of a problem; null for anything else, and for what does not come in a second. */
async function sentenceOf(response: IncomingMessage): Promise<string | null> {
  const late = setTimeout(() => response.destroy(), 1_000)
  try {
    let text = ''
    for await (const part of response.setEncoding('utf8')) {
      text += String(part)
      if (text.length > 20_000) return null
    }
    const said = Said.safeParse(JSON.parse(text))
    return said.success ? cleanSentence(said.data.detail ?? said.data.title) : null
  } catch {
    return null
  } finally {
    clearTimeout(late)
  }
}

const Said = z.object({ detail: z.string().optional(), title: z.string().optional() })
const cleanSentence = (text: string | undefined): string | null =>
  text
    ?.replace(/[^\x20-\x7e\u00a0-\ud7ff]/g, ' ')
    .slice(0, 300)
    .trim() || null

/** The process' own clock, chance and network. */
export const processLink: Link = { clock: processClock, random: Math.random, newId: randomUUID, dial: dialWebSocket }
