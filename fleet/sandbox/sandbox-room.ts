import type { SandboxKind, SandboxPool } from '#shared/contract/resources.ts'
import type { SandboxSpec } from '#shared/solvers/sandbox.ts'
import type { Amount } from '../lanes/lane.ts'

/** What all sandboxes of an agent's machine may take together, where its operator says so: machines that mostly wait for a model share processors well. */
export type SandboxRoom = { cpus?: number; memory_mb?: number }

const bounds = { BENCH_SANDBOX_CPUS: [0.1, 1024], BENCH_SANDBOX_MEMORY_MB: [32, 16_777_216] } as const

/** Reads it from the environment. Throws a sentence where a value is no number within its bounds. */
export function readSandboxRoom(env: Record<string, string | undefined>): SandboxRoom {
  const [cpus, memory] = [readBound(env, 'BENCH_SANDBOX_CPUS'), readBound(env, 'BENCH_SANDBOX_MEMORY_MB')]
  return { ...(cpus !== null && { cpus }), ...(memory !== null && { memory_mb: Math.floor(memory) }) }
}

function readBound(env: Record<string, string | undefined>, name: keyof typeof bounds): number | null {
  const text = env[name]?.trim() ?? ''
  if (text === '') return null
  const [least, most] = bounds[name]
  const value = Number(text)
  if (value >= least && value <= most) return value
  throw new Error(`${name} is "${text}": a number from ${least} to ${most} is wanted.`)
}

/** Where kinds keep the files of a sandbox, and whether it can start from an image or have a network. */
const traits: Record<SandboxKind, { files: 'memory' | 'disk'; images: boolean; network: boolean }> = {
  bwrap: { files: 'memory', images: false, network: false },
  docker: { files: 'memory', images: true, network: true },
  sandy: { files: 'disk', images: true, network: true },
  machine: { files: 'disk', images: true, network: true },
}

/** Whether a sandbox of this kind can be as it is asked for. */
export const canBe = (kind: SandboxKind, { image, network }: SandboxSpec): boolean =>
  (image === null || traits[kind].images) && (!network || traits[kind].network)

/** Whether the files of all sandboxes of these kinds are in memory: then their disk is memory too. */
export const filesInMemory = (kinds: readonly SandboxKind[]): boolean => kinds.every((kind) => traits[kind].files === 'memory')

type Sizes = Pick<SandboxSpec, 'cpus' | 'memory_mb' | 'disk_mb'>

/**
 * What a sandbox takes of a lane. Its files in memory come on top of its memory: those that the agent writes are in no limit but that of the disk.
 */
export const weightOf = (kind: SandboxKind, sizes: Sizes): Amount => amountOf([kind], sizes)

/** What a pool is for a lane, in the same measure. */
export const roomOf = (pool: SandboxPool): Amount => amountOf(pool.kinds, pool)

function amountOf(kinds: readonly SandboxKind[], { cpus, memory_mb, disk_mb }: Sizes): Amount {
  return filesInMemory(kinds) ? { cpus, memory_mb: memory_mb + disk_mb, disk_mb: 0 } : { cpus, memory_mb, disk_mb }
}
