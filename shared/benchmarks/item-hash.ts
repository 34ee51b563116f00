import { sha256After, sha256Hex } from '#sha256'
import type { Message } from '../contract/message.ts'

/**
 * SHA-256 of the messages an item is asked with, as a JSON array of `[role, content]`, after which the hashes of its pictures follow:
 * the same prompt has the same hash anywhere.
 */
export function itemHash(messages: readonly Message[]): string {
  const parts = messages.map(({ role, content, pictures = [] }) => [role, content, ...pictures.map((picture) => picture.sha256)])
  return sha256Hex(JSON.stringify(parts))
}

/**
 * `itemHash` of one message that begins with `opening` and goes on with the given rest: the opening, worked examples that many items share,
 * is hashed once. It must not end in the middle of a surrogate pair.
 */
export function itemHashAfter(role: Message['role'], opening: string): (rest: string) => string {
  const hash = sha256After(`[[${JSON.stringify(role)},${JSON.stringify(opening).slice(0, -1)}`)
  return (rest) => hash(`${JSON.stringify(rest).slice(1)}]]`)
}
