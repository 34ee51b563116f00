/** Takes the data of one event (lines joined by LF), `[DONE]` included as it came, and the event's name where it has one. */
export type SseSink = (data: string, event: string | null) => void

/** Takes a line that is no field of the format, as of JSON lines without `data:`; false where it is none of the stream's chunks. */
export type LineSink = (line: string) => boolean

/** What was left when the stream ended. `data`: an event without its terminator, and its name; `bare`: all lines that are no SSE field, joined by LF. */
export type SseRest = { data: string | null; event: string | null; bare: string | null }

export type SseParser = {
  /** Takes the next bytes; returns how many lines (data, comments, blanks) they completed. */
  push(bytes: Uint8Array): number
  /** All lines so far that are no SSE field, the unterminated one included; null where there are none. */
  bare(): string | null
  /** Examines the unterminated remainder. Call once, when no bytes follow. */
  end(): SseRest
  /** Comment lines so far: what some servers send to keep a connection alive. */
  comments(): number
}

const LF = 10
const CR = 13

/**
 * Incremental parser of server-sent events over bytes (WHATWG HTML 9.2.6, minus ids and retry).
 * Bytes are cut at line ends before they are decoded, so a character split across chunks never reaches the decoder in two parts.
 */
export function createSseParser(onData: SseSink, onLine: LineSink = () => false): SseParser {
  let kept: Buffer[] = []
  let skipLf = false
  let first = true
  let pending: string | null = null
  let event: string | null = null
  let bare: string | null = null
  let comments = 0

  const take = (line: string): void => {
    if (line === '') {
      const name = event
      event = null
      if (pending === null) return
      const data = pending
      pending = null
      onData(data, name)
      return
    }
    if (line.startsWith('data:')) {
      const value = line.slice(line.charCodeAt(5) === 32 ? 6 : 5)
      pending = pending === null ? value : `${pending}\n${value}`
    } else if (line.charCodeAt(0) === 58) comments += 1
    else if (line.startsWith('event:')) event = line.slice(6).trim()
    else if (!isIgnoredField(line) && !(bare === null && onLine(line))) bare = bare === null ? line : `${bare}\n${line}`
  }

  const keptText = (): string => {
    const text = kept.length === 0 ? '' : Buffer.concat(kept).toString('utf8')
    return first && text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  }

  const takeText = (text: string): number => {
    let lines = 0
    let from = 0
    while (from < text.length) {
      const to = text.indexOf('\n', from)
      take(text.slice(from, to))
      lines += 1
      from = to + 1
    }
    return lines
  }

  return {
    push(bytes) {
      let chunk = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      if (skipLf && chunk.length > 0) {
        if (chunk[0] === LF) chunk = chunk.subarray(1)
        skipLf = false
      }
      const lastCr = chunk.lastIndexOf(CR)
      const last = Math.max(chunk.lastIndexOf(LF), lastCr)
      if (last < 0) {
        if (chunk.length > 0) kept.push(Buffer.from(chunk))
        return 0
      }
      skipLf = lastCr === chunk.length - 1
      const head = chunk.subarray(0, last + 1)
      let text = kept.length === 0 ? head.toString('utf8') : Buffer.concat([...kept, head]).toString('utf8')
      kept = last + 1 < chunk.length ? [Buffer.from(chunk.subarray(last + 1))] : []
      if (lastCr >= 0) text = text.replace(/\r\n?/g, '\n')
      if (first) {
        first = false
        if (text.charCodeAt(0) === 0xfeff) text = text.slice(1)
      }
      return takeText(text)
    },
    bare() {
      const text = keptText()
      if (text === '' || text.startsWith('data:')) return bare
      return bare === null ? text : `${bare}\n${text}`
    },
    end() {
      const text = keptText()
      kept = []
      if (text !== '') take(text)
      const rest = { data: pending, event, bare }
      pending = null
      bare = null
      return rest
    },
    comments: () => comments,
  }
}

const ignored = ['event', 'id', 'retry', 'data']

/** Field names of the format that carry nothing here; `data` alone on its line is an empty data field. */
function isIgnoredField(line: string): boolean {
  const colon = line.indexOf(':')
  return ignored.includes(colon < 0 ? line : line.slice(0, colon))
}
