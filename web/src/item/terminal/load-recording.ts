import { type CastEvent, type CastHeader, openCastReader } from '#shared/terminal/asciicast.ts'
import { type ApiProblem, askBytes } from '../../api.ts'

/** A recording as far as it was read. `cut`: it goes on behind that. */
export type Recording = { header: CastHeader; events: readonly CastEvent[]; cut: boolean }
export type Loaded = { ok: true; value: Recording } | { ok: false; problem: ApiProblem }

/** Most bytes of a recording that a page reads, and of one part. */
const mostBytes = 48 * 2 ** 20
const partBytes = 2 * 2 ** 20

/** Fetches a recording part by part, no further than a page can play; `told` hears how many bytes have come. */
export async function loadRecording(
  url: string,
  bytes: number,
  told: (bytes: number) => void,
  isWanted: () => boolean,
): Promise<Loaded | null> {
  const reader = openCastReader()
  const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })
  const wanted = Math.min(bytes, mostBytes)
  for (let at = 0; at < wanted; ) {
    const part = await askBytes(url, at, Math.min(at + partBytes, wanted))
    if (!isWanted()) return null
    if (!part.ok) return part
    if (part.value.length === 0) break
    at += part.value.length
    reader.take(decoder.decode(part.value, { stream: true }))
    told(at)
    const { cut, problem } = reader.read()
    if (cut || problem) break
  }
  reader.end()
  const { header, events, cut, problem } = reader.read()
  if (!header) return { ok: false, problem: unread(problem?.text ?? 'It is empty.') }
  // What was read before a line that is broken can be played.
  return { ok: true, value: { header, events, cut: cut || problem !== null || bytes > mostBytes } }
}

const unread = (detail: string): ApiProblem => ({
  code: 'bad-answer',
  title: 'The recording was not understood',
  status: 0,
  detail,
  errors: [],
  request_id: null,
})
