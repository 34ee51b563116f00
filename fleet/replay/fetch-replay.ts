import { createHash } from 'node:crypto'
import type { Failure, Outcome } from '#shared/contract/failure.ts'
import type { Clock } from '#shared/run/clock.ts'
import type { Presence } from '../artifacts/http-store.ts'

export type ReplaySource = {
  edgeUrl: string
  token: string
  clock: Clock
  fetch: typeof fetch
}

/** Waits before each further try, in milliseconds: a service that is away for a minute is waited for. */
const waitsMs = [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]
const silenceMs = 60_000

/**
 * Reads the answers that a run replays from the service, as it holds them; whether they are those of the plan is for the caller to check. A
 * service that does not answer is asked again for about a minute and a half.
 */
export function fetchReplay(run_id: string, presence: () => Presence, source: ReplaySource): Promise<Outcome<unknown>> {
  return readPatiently(`/api/runs/${run_id}/replay/agent`, 'The answers to replay', (response) => response.json(), presence, source)
}

/** What an earlier trial handed over, as the plan names it: the archive's name and hash. */
export type HandedOverArchive = { ordinal: number; name: string; sha256: string }

/** Reads one from the service, with exactly the bytes of its hash; otherwise as `fetchReplay`. Rejects when the signal aborts. */
export async function fetchHandedOver(
  run_id: string,
  { ordinal, name, sha256 }: HandedOverArchive,
  presence: () => Presence,
  source: ReplaySource,
  signal: AbortSignal,
): Promise<Outcome<Uint8Array>> {
  const path = `/api/runs/${run_id}/handed-over/${ordinal}/${encodeURIComponent(name)}?sha256=${sha256}`
  const what = `${name} of trial ${ordinal}, which is to be graded again,`
  const read = await readPatiently(path, what, async (response) => new Uint8Array(await response.arrayBuffer()), presence, source, signal)
  if (!read.ok) return read
  const seen = createHash('sha256').update(read.value).digest('hex')
  if (seen === sha256) return read
  const detail = `The service gave ${name} of trial ${ordinal} with SHA-256 ${seen} in place of ${sha256}.`
  return { ok: false, failure: { at: 'replay', reason: 'mismatch', retryable: false, status: null, detail } }
}

async function readPatiently<T>(
  path: string,
  what: string,
  body: (response: Response) => Promise<T>,
  presence: () => Presence,
  source: ReplaySource,
  signal?: AbortSignal,
): Promise<Outcome<T>> {
  for (const waitMs of [...waitsMs, null]) {
    signal?.throwIfAborted()
    const read = await readOnce(path, what, body, presence(), source, signal)
    if (read.ok || !read.failure.retryable || waitMs === null) return read
    await new Promise<void>((resolve) => source.clock.after(waitMs, resolve))
  }
  throw new RangeError('the last wait is null')
}

async function readOnce<T>(
  path: string,
  what: string,
  body: (response: Response) => Promise<T>,
  { agent_id, session, pass }: Presence,
  source: ReplaySource,
  signal?: AbortSignal,
): Promise<Outcome<T>> {
  const silence = AbortSignal.timeout(silenceMs)
  try {
    const response = await source.fetch(new URL(path, source.edgeUrl), {
      headers: {
        authorization: `Bearer ${source.token}`,
        'x-bench-agent': agent_id,
        'x-bench-session': session,
        'x-bench-pass': pass,
      },
      signal: signal ? AbortSignal.any([silence, signal]) : silence,
    })
    if (response.ok) return { ok: true, value: await body(response) }
    await response.body?.cancel()
    const { status } = response
    const gone = status === 404 && signal ? 'the service does not keep it any more (HTTP 404)' : `HTTP ${status}`
    return { ok: false, failure: unavailable(what, gone, status >= 500 || status === 429 || status === 408, status) }
  } catch (error) {
    signal?.throwIfAborted()
    return { ok: false, failure: unavailable(what, error instanceof Error ? error.message : String(error), true, null) }
  }
}

function unavailable(what: string, why: string, retryable: boolean, status: number | null): Failure {
  const detail = `${what} could not be read from the service: ${why}.`.slice(0, 2000)
  return { at: 'replay', reason: 'unavailable', retryable, status, detail }
}
