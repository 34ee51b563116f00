import type { Readable } from 'node:stream'
import * as z from 'zod'
import { jsonLines } from './json-lines.ts'

/** What is heard of a build: its words, the container of a step that begins, a stage that begins, an image of a step that is done. */
export type BuildEars = { text(words: string): void; step(container: string): void; layer(image: string): void; stage(): void }

const Line = z.object({
  stream: z.string().optional(),
  error: z.string().optional(),
  id: z.string().optional(),
  aux: z.unknown().optional(),
})

/** Follows what either builder of an engine says; gives the refusal in the engine's words, or null where the image was built. Throws what the stream throws. */
export async function followBuild(stream: Readable, ears: BuildEars): Promise<string | null> {
  const heard = new Set<string>()
  for await (const line of jsonLines(stream)) {
    const { stream: words, error, id, aux } = Line.parse(line)
    if (error !== undefined) return error
    if (id === 'moby.buildkit.trace' && typeof aux === 'string') {
      for (const one of readTrace(Buffer.from(aux, 'base64'))) {
        if (one.step && heard.has(one.text)) continue
        if (one.step) heard.add(one.text)
        ears.text(one.step ? `${one.text}\n` : one.text)
      }
    }
    if (words === undefined) continue
    if (/^Step \d+\/\d+ : FROM /.test(words)) ears.stage()
    const [, container] = /^ ---> Running in ([0-9a-f]{12,64})\n$/.exec(words) ?? []
    const [, image] = /^ ---> ([0-9a-f]{12,64})\n$/.exec(words) ?? []
    if (container !== undefined) ears.step(container)
    if (image !== undefined) ears.layer(image)
    ears.text(words)
  }
  return null
}

/**
 * The texts of a BuildKit status message: names of steps that run, and what they print. Source: `StatusResponse` in BuildKit's `control.proto`: vertexes are field 1
 * (name 3), logs field 3 (msg 4).
 */
export function* readTrace(message: Uint8Array): Generator<{ step: boolean; text: string }> {
  for (const [field, part] of fieldsOf(message)) {
    const wanted = field === 1 ? 3 : field === 3 ? 4 : null
    if (wanted === null) continue
    for (const [inner, text] of fieldsOf(part)) if (inner === wanted) yield { step: field === 1, text: new TextDecoder().decode(text) }
  }
}

/** The fields of a message that have a length, by their numbers; the rest is passed over. What is cut off ends it. Source: the encoding of Protocol Buffers. */
function* fieldsOf(message: Uint8Array): Generator<[number, Uint8Array]> {
  let at = 0
  const varint = (): number => {
    let value = 0
    for (let factor = 1; at < message.length; factor *= 128) {
      const byte = message[at++]!
      value += (byte & 127) * factor
      if (byte < 128) break
    }
    return value
  }
  while (at < message.length) {
    const key = varint()
    const kind = key % 8
    if (kind === 0) varint()
    else if (kind === 1) at += 8
    else if (kind === 5) at += 4
    else if (kind === 2) {
      const length = varint()
      yield [Math.floor(key / 8), message.subarray(at, at + length)]
      at += length
    } else return
  }
}
