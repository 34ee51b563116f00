import { openSha256 } from '#sha256'
import type { Message } from '../contract/message.ts'

/** SHA-256 in hex of a text's UTF-8 bytes. */
export function sha256Hex(text: string): string {
  return openSha256().add(text).hex()
}

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
  const begun = openSha256().add(`[[${JSON.stringify(role)},${JSON.stringify(opening).slice(0, -1)}`)
  return (rest) =>
    begun
      .copy()
      .add(`${JSON.stringify(rest).slice(1)}]]`)
      .hex()
}
