import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { Message } from '../contract/evidence.ts'

/** SHA-256 in hex of a text's UTF-8 bytes. */
export function sha256Hex(text: string): string {
  return bytesToHex(sha256(new TextEncoder().encode(text)))
}

/** SHA-256 of the messages an item is asked with, as a JSON array of `[role, content]`: the same prompt has the same hash anywhere. */
export function itemHash(messages: readonly Message[]): string {
  return sha256Hex(JSON.stringify(messages.map((message) => [message.role, message.content])))
}
