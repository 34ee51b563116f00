import type { Frames } from './reply.ts'

/** Books the request once: the status it got and, where its usage was told, what it is billed for. */
export type Book = (status: number, billed: Frames | null) => void

export const sse = ['content-type', 'text/event-stream', 'cache-control', 'no-cache']

/** The reply, if its usage has been told in this many bytes: the frame counts with its closing brace, before its blank line. */
export function billed(reply: Frames, bytes: number): Frames | null {
  return bytes >= reply.usage_end - 2 ? reply : null
}
