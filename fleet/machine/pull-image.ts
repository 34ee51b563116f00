import type Docker from 'dockerode'
import * as z from 'zod'
import type { Outcome } from '#shared/contract/failure.ts'
import { type ImageName, pulledName, pullName } from '#shared/dockerfile/image-name.ts'
import { refusalIn } from '../docker/engine.ts'
import { jsonLines } from './json-lines.ts'
import { pullRefusal, refusedMachine } from './machine-failure.ts'
import { loginFor, type RegistryLogin } from './registry-login.ts'

/** How images are fetched: through which mirror of the hub, with which logins, and who is told how far it is. */
export type PullMeans = { mirror: string | null; logins: readonly RegistryLogin[]; say(line: string): void }

const Progress = z.object({
  id: z.string().optional(),
  status: z.string().optional(),
  error: z.string().optional(),
  progressDetail: z.object({ current: z.number().optional(), total: z.number().optional() }).optional(),
})

/** How much further a pull must be before it is told again, in bytes. */
const step_bytes = 64 * 1024 ** 2

/**
 * Pulls an image and gives it a name of ours, by which it is found again and may be removed when the disk is full. Gives the name it is known by. Who
 * aborts the signal gives it up; `timeout_ms` is a failure.
 */
export async function pullImage(
  docker: Docker,
  image: ImageName,
  { mirror, logins, say }: PullMeans,
  { timeout_ms, signal }: { timeout_ms: number; signal: AbortSignal },
): Promise<Outcome<string>> {
  const name = pullName(image, mirror)
  const login = loginFor(name.slice(0, name.indexOf('/')), logins)
  const late = AbortSignal.timeout(Math.min(Math.max(1, timeout_ms), 2 ** 31 - 1))
  try {
    const abortSignal = AbortSignal.any([signal, late])
    const stream = await docker.pull(name, { abortSignal, ...(login ? { authconfig: login } : {}) })
    const refusal = await followPull(jsonLines(stream), name, say)
    if (refusal !== null) say(`${name} was not pulled: ${refusal}`)
    if (refusal !== null) return pullRefusal(name, { status: null, words: refusal }, login !== undefined)
    const own = pulledName(image)
    await docker.getImage(name).tag(own)
    return { ok: true, value: `${own.repo}:${own.tag}` }
  } catch (error) {
    signal.throwIfAborted()
    if (late.aborted) return refusedMachine('timeout', true, `${name} was not pulled within ${Math.round(timeout_ms / 1000)} s.`)
    const refusal = refusalIn(error)
    say(`${name} was not pulled: ${refusal.words}`)
    return pullRefusal(name, refusal, login !== undefined)
  }
}

/** Tells how far it is; gives the refusal in the engine's words, or null when all of it is there. */
async function followPull(lines: AsyncIterable<unknown>, name: string, say: (line: string) => void): Promise<string | null> {
  const layers = new Map<string, { current: number; total: number }>()
  let told = -step_bytes
  for await (const line of lines) {
    const { id, status, error, progressDetail } = Progress.parse(line)
    if (error !== undefined) return error
    if (id === undefined || status !== 'Downloading' || !progressDetail?.total) continue
    layers.set(id, { current: progressDetail.current ?? 0, total: progressDetail.total })
    const sum = (of: 'current' | 'total'): number => [...layers.values()].reduce((all, layer) => all + layer[of], 0)
    if (sum('current') - told < step_bytes) continue
    told = sum('current')
    say(`pulling ${name}: ${mb(told)} of ${mb(sum('total'))} MB in ${layers.size} layers so far`)
  }
  return null
}

const mb = (bytes: number): number => Math.round(bytes / 1024 ** 2)
