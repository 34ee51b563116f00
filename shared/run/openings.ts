import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { Message } from '../contract/message.ts'
import type { Openings, PackedMessage, PackedRecord } from '../contract/packed.ts'
import type { TrialRecord } from '../contract/trial.ts'
import { flatText } from '../flat-text.ts'
import { packStream, unpackStream } from '../stream/packed-stream.ts'

/** SHA-256 in hex of an opening's UTF-8 bytes: the name under which a run keeps it. */
export function openingHash(text: string): string {
  return bytesToHex(sha256(new TextEncoder().encode(text)))
}

/** Takes the openings out of records, which are then quick to be written as JSON, and the names out of their streams. Each different opening is hashed once. */
export function createPacker(): (record: TrialRecord) => { record: PackedRecord; openings: Openings } {
  const hashes = new Map<string, string>()
  const hashOf = (text: string): string => {
    const hash = hashes.get(text) ?? openingHash(text)
    hashes.set(text, hash)
    return hash
  }
  return ({ stream, ...record }) => {
    const openings: Openings = {}
    const messages = record.messages.map(({ opening, ...message }): PackedMessage => {
      if (opening === undefined) return { ...message, content: flatText(message.content) }
      const text = message.content.slice(0, opening)
      const hash = hashOf(text)
      openings[hash] = text
      return { ...message, content: flatText(message.content.slice(opening)), opening: hash }
    })
    return { record: { ...record, messages, ...(stream && { stream: packStream(stream) }) }, openings }
  }
}

/** The hashes that a record's messages name. */
export function namedOpenings(record: Pick<PackedRecord, 'messages'>): string[] {
  return record.messages.flatMap((message) => message.opening ?? [])
}

/** The record with its whole messages, and its stream by names. Throws when an opening it names is not among `openings`: the record would not be what was asked. */
export function unpackRecord(record: PackedRecord, openings: ReadonlyMap<string, string>): TrialRecord {
  const { stream, ...rest } = record
  const messages = record.messages.map((message) => unpackMessage(message, openings))
  return { ...rest, messages, ...(stream && { stream: unpackStream(stream) }) }
}

function unpackMessage({ opening, ...message }: PackedMessage, openings: ReadonlyMap<string, string>): Message {
  if (opening === undefined) return message
  const text = openings.get(opening)
  if (text === undefined) throw new Error(`the opening ${opening} of a prompt is not in the record`)
  return { ...message, content: text + message.content, opening: text.length }
}
