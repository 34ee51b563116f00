import { byteLines, type Chunks, LineTooLong } from './byte-lines.ts'
import { datasetError } from './dataset-error.ts'

/** A row of a file of JSON lines, and the bytes of the file that are its text. */
export type JsonLine = { row: unknown; start: number; end: number }

/** The rows of JSON lines with any line end; a byte order mark and blank lines are none. Throws `dataset/bad-record` with the line that does not parse. */
export async function* jsonLines(chunks: Chunks, name: string, mostBytes: number): AsyncGenerator<JsonLine> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let number = 0
  try {
    for await (const { bytes, start, end } of byteLines(chunks, mostBytes)) {
      number++
      const mark = start === 0 && hasMark(bytes) ? 3 : 0
      const text = decode(decoder, bytes.subarray(mark), `${name} line ${number}`)
      if (text.trim() === '') continue
      yield { row: parse(text, `${name} line ${number}`), start: start + mark, end }
    }
  } catch (cause) {
    if (!(cause instanceof LineTooLong)) throw cause
    throw datasetError('bad-record', `${name} line ${number + 1}: longer than ${mostBytes} bytes, the longest text there can be`, { cause })
  }
}

const hasMark = (bytes: Uint8Array): boolean => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf

function decode(decoder: TextDecoder, bytes: Uint8Array, place: string): string {
  try {
    return decoder.decode(bytes)
  } catch (cause) {
    throw datasetError('bad-record', `${place}: not UTF-8 text`, { cause })
  }
}

function parse(text: string, place: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw datasetError('bad-record', `${place}: no JSON`, { cause })
  }
}
