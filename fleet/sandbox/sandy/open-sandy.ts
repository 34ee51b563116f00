import { randomInt } from 'node:crypto'
import type { Outcome } from '#shared/contract/failure.ts'
import type { Sandbox, SandboxSpec } from '#shared/solvers/sandbox.ts'
import { processClock } from '../../process-clock.ts'
import type { SandboxProvider } from '../../trial/resources.ts'
import { type SandboxTrial, trialName } from '../trial-name.ts'
import { createInside, createSandyBox } from './sandy-box.ts'
import { createSandyCalls, sandyFailure } from './sandy-calls.ts'
import { createSandyHttp } from './sandy-http.ts'
import type { SandyOptions } from './sandy-options.ts'

/** Opens sandboxes at Sandy. `close` ends those that are open and waits for all that is being ended. */
export type Sandy = SandboxProvider & { resources(signal: AbortSignal): Promise<unknown>; close(): Promise<void> }

/** Longer than any trial of ours as a rule: a sandbox whose agent is gone costs no more than this. */
const usualTtl_seconds = 7200
const ready_ms = 60_000
/** Users of a sandbox that no image has; containers that share a kernel do not share the limit of one. */
const users = { first: 20_000, last: 60_000 }

/**
 * Sandboxes of a Sandy service, each ended when it is closed, when its trial is given up, also while it is being made, and when the service fails
 * it. Limits of CPU and disk are the service's own, as its API has no words for them; memory is watched from inside. Nothing of this machine but
 * what a solver sends goes there: not the key, no environment.
 */
export async function createSandy(options: SandyOptions): Promise<Sandy> {
  const { base_url, api_key, clock = processClock, random = Math.random, ttl_seconds = usualTtl_seconds, tell = () => undefined } = options
  const http = createSandyHttp({ base_url, api_key, clock })
  const calls = createSandyCalls(http, api_key, { clock, random })
  const closing = new AbortController()
  const ends = new Map<string, () => Promise<void>>()
  const pending = new Set<Promise<unknown>>()
  const during = <T>(work: Promise<T>): Promise<T> => {
    pending.add(work)
    return work.finally(() => pending.delete(work))
  }
  const terminate = async (id: string, trial?: SandboxTrial): Promise<void> => {
    const why = await calls.terminate(id)
    if (why !== null)
      tell(
        `Sandy did not end sandbox ${id}${trial ? ` of ${trialName(trial)}` : ''}: ${why}. It may cost something until it ends by itself, ${ttl_seconds} s after it was made.`,
      )
  }

  const start = async (
    id: string,
    spec: SandboxSpec,
    signal: AbortSignal,
    trial?: SandboxTrial,
  ): Promise<Outcome<Sandbox & AsyncDisposable>> => {
    const over = new AbortController()
    const given = AbortSignal.any([signal, closing.signal, over.signal])
    let ended: Promise<void> | undefined
    const finish = (): Promise<void> => {
      given.removeEventListener('abort', finish)
      over.abort()
      ended ??= during(terminate(id, trial).finally(() => ends.delete(id)))
      return ended
    }
    ends.set(id, finish)
    given.addEventListener('abort', finish)
    if (given.aborted) void finish()
    const inside = createInside(calls, id, randomInt(users.first, users.last), given)
    const said = given.aborted ? null : await inside('ready', [spec.network ? 1 : 0], ready_ms, 0)
    if (said?.type === 'said' && said.end === 'ready')
      return { ok: true, value: { ...createSandyBox(inside, spec, given, () => void finish()), [Symbol.asyncDispose]: finish } }
    await finish()
    signal.throwIfAborted()
    if (said?.type === 'said') return sandyFailure(false, `A sandbox of Sandy is of no use here: ${text(said.parts[0])}.`)
    return sandyFailure(true, `A sandbox of Sandy did not begin: ${calls.redact(said?.why ?? 'this agent ends')}.`)
  }

  const open = async (spec: SandboxSpec, signal: AbortSignal, trial?: SandboxTrial): Promise<Outcome<Sandbox & AsyncDisposable>> => {
    if (spec.image !== null) return refused('Sandy starts sandboxes from images of its own only.')
    if (closing.signal.aborted) return sandyFailure(true, 'This agent ends.')
    signal.throwIfAborted()
    const making = calls.create(ttl_seconds, AbortSignal.any([signal, closing.signal]))
    const made = await orAborted(making, signal)
    if (made === 'aborted') {
      void during(making.then((late) => (late.ok ? terminate(late.value, trial) : undefined)))
      throw signal.reason
    }
    return made.ok ? start(made.value, spec, signal, trial) : made
  }

  return {
    open: (spec, signal, trial) => during(open(spec, signal, trial)),
    resources: calls.resources,
    async close() {
      closing.abort()
      for (const finish of ends.values()) void finish()
      while (pending.size > 0) await Promise.allSettled(pending)
      await http.close()
    },
  }
}

/** What comes of some work, or that the signal aborted before. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | 'aborted'> {
  const aborted = Promise.withResolvers<'aborted'>()
  const abort = (): void => aborted.resolve('aborted')
  signal.addEventListener('abort', abort)
  try {
    const first = await Promise.race([work, aborted.promise])
    return signal.aborted ? 'aborted' : first
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

const text = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes)

const refused = (detail: string): Outcome<never> => ({
  ok: false,
  failure: { at: 'sandbox', reason: 'denied', retryable: false, status: null, detail },
})
