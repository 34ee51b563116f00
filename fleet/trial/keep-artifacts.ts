import { ArtifactRef, artifactKinds, mostArtifactBytes, mostArtifacts } from '#shared/contract/artifact.ts'
import type { Failure, Outcome } from '#shared/contract/failure.ts'
import type { Lease } from '#shared/contract/trial.ts'
import type { ArtifactBody, Kit } from '#shared/solvers/kit.ts'
import type { ArtifactStore } from './resources.ts'

/** Keeps what a trial leaves behind, within the limits of its kind and of the trial. `list` gives what stands at its end. */
export function openArtifacts(
  store: ArtifactStore | null,
  { ordinal, attempt }: Pick<Lease, 'ordinal' | 'attempt'>,
  signal: AbortSignal,
): { keep: Kit['keep']; list(): ArtifactRef[] } {
  const kept = new Map<string, ArtifactRef>()
  return {
    list: () => [...kept.values()],
    async keep({ name, kind, media_type, body }) {
      if (!store) return failed('unavailable', true, 'This agent has no store of artifacts.')
      const named = ArtifactRef.pick({ name: true, media_type: true }).safeParse({ name, media_type })
      if (!named.success) return failed('too-large', false, `${JSON.stringify(name)} (${media_type}) cannot name an artifact.`)
      const others = [...kept.values()].filter((one) => one.name !== name)
      if (others.length >= mostArtifacts) return failed('too-large', false, `A trial leaves ${mostArtifacts} artifacts at most.`)
      const left = mostArtifactBytes - others.reduce((sum, one) => sum + one.bytes, 0)
      const most = Math.min(artifactKinds[kind], left)
      const tooLarge = `${name} is larger than the ${most} bytes that are left for an artifact of kind ${kind}.`
      if (body instanceof Uint8Array && body.length > most) return failed('too-large', false, tooLarge)
      try {
        const bounds = body instanceof Uint8Array ? body : bounded(body, most)
        const put = await store.keep({ ordinal, attempt, kind, media_type, body: bounds }, signal)
        if (!put.ok) return put
        const ref = { name, kind, media_type, ...put.value }
        kept.set(name, ref)
        return { ok: true, value: ref }
      } catch (error) {
        if (error instanceof TooLarge) return failed('too-large', false, tooLarge)
        if (body instanceof Uint8Array) return failed('unavailable', true, `${name} could not be kept: ${String(error).slice(0, 500)}`)
        throw error // of a body that is made meanwhile it may be its maker's
      }
    },
  }
}

class TooLarge extends Error {}

async function* bounded(body: Exclude<ArtifactBody, Uint8Array>, most: number): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > most) throw new TooLarge()
    yield chunk
  }
}

function failed(reason: 'unavailable' | 'too-large', retryable: boolean, detail: string): Outcome<never> {
  return { ok: false, failure: { at: 'store', reason, retryable, status: null, detail } satisfies Failure }
}
