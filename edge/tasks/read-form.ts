type Bytes = Uint8Array<ArrayBuffer>

/** A part of a form as it arrives. `filename` null: a field. `pieces` must be read to its end, or left alone, before the next part comes. */
export type FormPart = { name: string; filename: string | null; pieces: AsyncIterable<Uint8Array> }

/** A body that is no form as RFC 7578 writes it. */
export class BadForm extends Error {}

const mostHeaderBytes = 8192
const mostParts = 20

/** The boundary that the header of a form names; undefined for any other body. */
export function boundaryOf(contentType: string | undefined): string | undefined {
  if (!/^multipart\/form-data\s*;/i.test(contentType ?? '')) return undefined
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType ?? '') ?? []
  return quoted ?? plain
}

/**
 * The parts of a form in their order, of which no more is held than what a search for the boundary takes: a Worker has 128 MB, and a form that is parsed by the
 * platform is held whole. Throws `BadForm`.
 */
export async function* readForm(body: ReadableStream<Uint8Array>, boundary: string): AsyncGenerator<FormPart> {
  const held = openHeld(body)
  const delimiter = new TextEncoder().encode(`\r\n--${boundary}`) as Bytes
  try {
    held.unread(new TextEncoder().encode('\r\n') as Bytes) // the first boundary stands at the beginning of a line that has none before it
    for await (const _ of until(held, delimiter)); // what stands before the first part is no part
    for (let parts = 0; ; parts++) {
      const after = await held.line(mostHeaderBytes)
      if (after.startsWith('--')) return
      if (after.trim() !== '') throw new BadForm('something stands behind a boundary')
      if (parts === mostParts) throw new BadForm(`it has more than ${mostParts} parts`)
      const named = await readHeaders(held)
      const pieces = until(held, delimiter)
      yield { ...named, pieces: { [Symbol.asyncIterator]: () => ({ next: () => pieces.next() }) } }
      while (!(await pieces.next()).done);
    }
  } finally {
    await held.cancel()
  }
}

async function readHeaders(held: Held): Promise<{ name: string; filename: string | null }> {
  let disposition = ''
  let bytes = 0
  for (;;) {
    const line = await held.line(mostHeaderBytes)
    bytes += line.length
    if (bytes > mostHeaderBytes) throw new BadForm('the headers of a part are too long')
    if (line === '') break
    if (/^content-disposition\s*:/i.test(line)) disposition = line
  }
  const name = parameterOf(disposition, 'name')
  if (name === null) throw new BadForm('a part has no name')
  return { name, filename: parameterOf(disposition, 'filename') }
}

/** Browsers write a quotation mark in a name as `%22`, others as `\"`. */
function parameterOf(disposition: string, name: string): string | null {
  const [, quoted, plain] = new RegExp(`;\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;"]+))`, 'i').exec(disposition) ?? []
  return quoted?.replace(/\\(["\\])/g, '$1').replaceAll('%22', '"') ?? plain ?? null
}

/** Pieces up to the mark, which is taken too. Throws where the body ends without it. */
async function* until(held: Held, mark: Bytes): AsyncGenerator<Uint8Array> {
  for (;;) {
    const at = indexOf(held.bytes(), mark)
    if (at >= 0) {
      if (at > 0) yield held.take(at)
      held.take(mark.length)
      return
    }
    const safe = held.bytes().length - mark.length + 1
    if (safe > 0) yield held.take(safe)
    if (!(await held.more())) throw new BadForm('it ends in the middle of a part')
  }
}

function indexOf(bytes: Uint8Array, mark: Uint8Array): number {
  for (let at = bytes.indexOf(mark[0]!); at >= 0 && at + mark.length <= bytes.length; at = bytes.indexOf(mark[0]!, at + 1)) {
    if (mark.every((byte, index) => bytes[at + index] === byte)) return at
  }
  return -1
}

type Held = ReturnType<typeof openHeld>

/** What has arrived of a body and was not taken yet. */
function openHeld(body: ReadableStream<Uint8Array>) {
  const reader = body.getReader()
  let bytes: Uint8Array = new Uint8Array()
  const take = (count: number): Uint8Array => {
    const taken = bytes.subarray(0, count)
    bytes = bytes.subarray(count)
    return taken
  }
  const unread = (before: Uint8Array): void => {
    const joined = new Uint8Array(before.length + bytes.length)
    joined.set(before)
    joined.set(bytes, before.length)
    bytes = joined
  }
  const more = async (): Promise<boolean> => {
    const { done, value } = await reader.read()
    if (done || !value) return false
    const before = bytes
    bytes = value
    unread(before)
    return true
  }
  return {
    bytes: () => bytes,
    take,
    unread,
    more,
    /** A line without its end. */
    async line(most: number): Promise<string> {
      for (;;) {
        const end = indexOf(bytes, lineEnd)
        if (end >= 0) {
          const text = new TextDecoder().decode(take(end))
          take(2)
          return text
        }
        if (bytes.length > most) throw new BadForm('a line of its headers is too long')
        if (!(await more())) {
          // The last boundary may end the body without a line of its own.
          if (bytes.length === 2) return new TextDecoder().decode(take(2))
          throw new BadForm('it ends in the middle of a line')
        }
      }
    },
    cancel: () => reader.cancel().catch(() => undefined),
  }
}

const lineEnd = new Uint8Array([13, 10])
