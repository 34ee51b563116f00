import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type Docker from 'dockerode'
import * as z from 'zod'
import { refusalIn } from '../docker/engine.ts'
import { type Holder, isAlive, isOrphan, labelsOf } from '../docker/owner.ts'

/** Whose the agent's locks are. */
export type LockMeans = { owner: string; holder: Holder }

const Lock = z.object({ CreatedAt: z.string().nullish(), Labels: z.record(z.string(), z.string()).nullish() })
const turnLabel = 'chutes-bench.turn'
/** How often it is looked whether a lock is free, in milliseconds. */
const pause_ms = 250

/**
 * Runs `work` while no other agent runs one of that name at the same engine, wherever the agents are. The lock is a volume at the engine: of those who make one of a
 * name the first has it, and all others see whose it is. One whose agent is no more is taken away, and so is one of another machine that stands for ten minutes, as its
 * agent cannot be seen: that costs a second build, never an image. Throws the signal's reason.
 */
export async function withBuildLock<T>(
  docker: Docker,
  name: string,
  { owner, holder }: LockMeans,
  work: () => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const Name = `bench-build-${createHash('sha256').update(name).digest('hex').slice(0, 40)}`
  const turn = randomUUID()
  while (!(await isOurs())) await sleep(pause_ms, undefined, { signal })
  try {
    return await work()
  } finally {
    await docker
      .getVolume(Name)
      .remove()
      .catch(() => undefined) // gone with its engine, or with who took it for left
  }

  async function isOurs(): Promise<boolean> {
    await docker.createVolume({ Name, Labels: { ...labelsOf(owner, holder), [turnLabel]: turn } })
    const lock = await inspect(docker, Name)
    if (lock?.Labels?.[turnLabel] === turn) return true
    if (lock && isLeft(lock, { owner, holder }))
      await docker
        .getVolume(Name)
        .remove()
        .catch(() => undefined)
    return false
  }
}

function isLeft({ CreatedAt, Labels }: z.infer<typeof Lock>, { owner, holder }: LockMeans): boolean {
  const age_s = (Date.now() - (Date.parse(CreatedAt ?? '') || 0)) / 1000
  return isOrphan({ labels: Labels ?? {}, state: 'created', age_s }, { owner, holder, isAlive })
}

async function inspect(docker: Docker, name: string): Promise<z.infer<typeof Lock> | null> {
  try {
    return Lock.parse(await docker.getVolume(name).inspect())
  } catch (error) {
    if (refusalIn(error).status === 404) return null
    throw error
  }
}
