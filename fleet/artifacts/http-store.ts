import { Readable } from 'node:stream'
import { request } from 'undici'
import type { Outcome } from '#shared/contract/failure.ts'
import type { Clock } from '#shared/run/clock.ts'
import { retryAfterMs } from '../model/retry-after.ts'
import { pause } from '../pause.ts'
import { processClock } from '../process-clock.ts'
import { agentFor } from '../proxy/proxy-route.ts'
import type { ArtifactStore, Kept, ToKeep } from '../trial/resources.ts'
import { type Spooled, SpoolUnreadable, spool } from './spool.ts'
import { storeFailure } from './store-failure.ts'

/** Who keeps artifacts of a run: as its agent said it to the run. The pass may be renewed meanwhile. */
export type Presence = { agent_id: string; session: string; pass: string }

export type HttpStoreOptions = {
  edgeUrl: string
  token: string
  /** Folder for bodies that are made while they are written. */
  spoolDir: string
  clock?: Clock
  random?(): number
  /** Milliseconds of silence after which a request counts as lost. */
  silenceMs?: number
}

/** Artifacts on their way at once; more wait for their turn, so that an agent's uploads leave room for its answers. */
const uploadsAtOnce = 4
const firstWaitMs = 500
const longestWaitMs = 30_000

/** What came of one request: an end, or a reason to send it again, after so many milliseconds where the service said so. */
type Sent = { type: 'end'; outcome: Outcome<Kept> } | { type: 'again'; asked_ms: number | null } | { type: 'garbled' }

/**
 * The service's store of artifacts, as an agent reaches it. Bodies are streamed from where they lie and are sent again as long as the service
 * is away and the trial is not given up. `of` gives the store of one run.
 */
export function createHttpStore(options: HttpStoreOptions) {
  const { edgeUrl, token, spoolDir, clock = processClock, random = Math.random, silenceMs = 60_000 } = options
  const timeouts = { headersTimeout: silenceMs, bodyTimeout: silenceMs }
  const dispatcher = agentFor(new URL(edgeUrl), { connections: uploadsAtOnce, pipelining: 1, allowH2: false, ...timeouts }, silenceMs)
  const put = async (url: URL, what: ToKeep, body: Spooled, presence: Presence, signal: AbortSignal): Promise<Sent> => {
    try {
      const {
        statusCode,
        headers,
        body: answer,
      } = await request(url, {
        ...{ dispatcher, signal, method: 'PUT', body: streamed(body.read()) },
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': what.media_type,
          'content-length': String(body.bytes),
          'x-bench-agent': presence.agent_id,
          'x-bench-session': presence.session,
          'x-bench-pass': presence.pass,
        },
      })
      await answer.dump()
      return readAnswer(statusCode, body, retryAfterMs(headers, Date.now()))
    } catch (error) {
      if (error instanceof SpoolUnreadable) return { type: 'end', outcome: storeFailure('unavailable', true, error.message) }
      return { type: 'again', asked_ms: null } // no answer: the network, a time limit, or the trial was given up
    }
  }
  const send = async (url: URL, what: ToKeep, body: Spooled, presence: () => Presence, signal: AbortSignal): Promise<Outcome<Kept>> => {
    let garbled = 0
    for (let attempt = 0; !signal.aborted; attempt++) {
      const sent = await put(url, what, body, presence(), signal)
      if (sent.type === 'end') return sent.outcome
      if (sent.type === 'garbled' && ++garbled > 1)
        return storeFailure('unavailable', true, 'An artifact arrived with other bytes than were sent, twice.', 422)
      const backoff = Math.min(longestWaitMs, firstWaitMs * 2 ** attempt) * (0.5 + random() / 2)
      await pause(clock, Math.max(backoff, sent.type === 'again' ? (sent.asked_ms ?? 0) : 0), signal)
    }
    return storeFailure('unavailable', true, 'The trial was given up before its artifact was kept.')
  }
  return {
    /** The store for the artifacts of one run, kept under what its agent is known by there. */
    of: (run_id: string, presence: () => Presence): ArtifactStore => ({
      async keep(what, signal) {
        const spooled = await spool(what.body, spoolDir)
        if (!spooled.ok) return spooled
        await using body = spooled.value
        const { ordinal, attempt, kind } = what
        const url = new URL(`/api/runs/${run_id}/artifacts/${body.sha256}`, edgeUrl)
        url.search = new URLSearchParams({ ordinal: String(ordinal), attempt: String(attempt), kind }).toString()
        return await send(url, what, body, presence, signal)
      },
    }),
    close: (): Promise<void> => dispatcher.destroy(),
  }
}

function readAnswer(status: number, { sha256, bytes }: Spooled, asked_ms: number | null): Sent {
  if (status === 200 || status === 201) return { type: 'end', outcome: { ok: true, value: { sha256, bytes } } }
  if (status === 413)
    return {
      type: 'end',
      outcome: storeFailure('too-large', false, `The service takes no artifact of ${bytes} bytes of this kind.`, status),
    }
  if (status === 422) return { type: 'garbled' }
  if (status === 501) return { type: 'end', outcome: storeFailure('unavailable', false, 'This service keeps no artifacts.', status) }
  if (status >= 500 || status === 429 || status === 408) return { type: 'again', asked_ms }
  const why = status === 409 || status === 404 ? 'the trial is no longer this agent’s' : `HTTP ${status}`
  return { type: 'end', outcome: storeFailure('unavailable', false, `The service did not take an artifact: ${why}.`, status) }
}

function streamed(body: Uint8Array | AsyncIterable<Uint8Array>): Uint8Array | Readable {
  return body instanceof Uint8Array ? body : Readable.from(body, { objectMode: false })
}
