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
export async function fetchReplay(run_id: string, presence: () => Presence, source: ReplaySource): Promise<Outcome<unknown>> {
  for (const waitMs of [...waitsMs, null]) {
    const read = await readOnce(run_id, presence(), source)
    if (read.ok || !read.failure.retryable || waitMs === null) return read
    await new Promise<void>((resolve) => source.clock.after(waitMs, resolve))
  }
  throw new RangeError('the last wait is null')
}

async function readOnce(run_id: string, { agent_id, session, pass }: Presence, source: ReplaySource): Promise<Outcome<unknown>> {
  try {
    const response = await source.fetch(new URL(`/api/runs/${run_id}/replay/agent`, source.edgeUrl), {
      headers: {
        authorization: `Bearer ${source.token}`,
        'x-bench-agent': agent_id,
        'x-bench-session': session,
        'x-bench-pass': pass,
      },
      signal: AbortSignal.timeout(silenceMs),
    })
    if (response.ok) return { ok: true, value: await response.json() }
    await response.body?.cancel()
    const { status } = response
    return { ok: false, failure: unavailable(`HTTP ${status}`, status >= 500 || status === 429 || status === 408, status) }
  } catch (error) {
    return { ok: false, failure: unavailable(error instanceof Error ? error.message : String(error), true, null) }
  }
}

function unavailable(why: string, retryable: boolean, status: number | null): Failure {
  const detail = `The answers to replay could not be read from the service: ${why}.`.slice(0, 2000)
  return { at: 'replay', reason: 'unavailable', retryable, status, detail }
}
