import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { availableParallelism, totalmem } from 'node:os'
import type { Resources, SandboxKind, SandboxPool, SandboxProof } from '#shared/contract/resources.ts'
import { filesInMemory, readSandboxRoom, type SandboxRoom } from './sandbox/sandbox-room.ts'

/**
 * Tries a kind of sandbox where the agent runs: `probe` gives what it found, or throws with what is missing. `pool` is null for a kind that uses
 * this machine, else what a service elsewhere lets this agent have.
 */
export type SandboxProbe = {
  kind: SandboxKind
  probed: string
  pool: Omit<SandboxPool, 'kinds'> | null
  probe(): Promise<string>
}

/** The part of memory and free disk that sandboxes may have; the rest is for the agent and its data sets. */
const partForSandboxes = 3 / 4
/** The part of that memory which is for files, where sandboxes keep theirs in memory: both together are never more than there is. */
const partForFiles = 1 / 4

/** What an agent has, found out now: its machine, and of sandboxes only what a probe has proved. `room`: what sandboxes here may take, where somebody said so. */
export async function announceResources(
  dataDir: string,
  probes: readonly SandboxProbe[],
  now: () => Date = () => new Date(),
  room: SandboxRoom = readSandboxRoom(process.env),
): Promise<Resources> {
  const { bavail, bsize } = await statfs(existsSync(dataDir) ? dataDir : '.')
  const machine = {
    cpus: availableParallelism(),
    memory_mb: Math.floor(totalmem() / 1024 ** 2),
    disk_mb: Math.floor((bavail * bsize) / 1024 ** 2),
  }
  const proofs = await proofsOf(probes, now)
  const proved = probes.filter((_, at) => proofs[at]!.ok)
  const here = proved.filter(({ pool }) => pool === null).map(({ kind }) => kind)
  const part = (mb: number): number => Math.max(1, Math.floor(mb * partForSandboxes))
  const memory = Math.max(32, room.memory_mb ?? part(machine.memory_mb))
  const files = Math.floor(memory * partForFiles)
  const sizes = filesInMemory(here) ? { memory_mb: memory - files, disk_mb: files } : { memory_mb: memory, disk_mb: part(machine.disk_mb) }
  const local = { kinds: here, cpus: room.cpus ?? machine.cpus, ...sizes }
  const elsewhere = proved.flatMap(({ kind, pool }) => (pool ? [{ kinds: [kind], ...pool }] : []))
  return { machine, sandboxes: [...(here.length > 0 ? [local] : []), ...elsewhere], proofs }
}

/** Tries kinds beside each other and says what came of each. */
export const proofsOf = (probes: readonly SandboxProbe[], now: () => Date = () => new Date()): Promise<SandboxProof[]> =>
  Promise.all(probes.map((one) => prove(one, now)))

/** Tries a kind, and once more where it did not hold: a machine that is full for a moment has sandboxes all the same. */
async function prove({ kind, probed, probe }: SandboxProbe, now: () => Date): Promise<SandboxProof> {
  const attempt = (): Promise<Pick<SandboxProof, 'ok' | 'detail'>> =>
    probe().then(
      (detail) => ({ ok: true, detail }),
      (error: unknown) => ({ ok: false, detail: error instanceof Error ? error.message : String(error) }),
    )
  const first = await attempt()
  const second = first.ok ? first : await attempt()
  const found = second.ok && !first.ok ? { ok: true, detail: `${second.detail}; the first try failed: ${first.detail}` } : second
  return { kind, probed, ok: found.ok, detail: found.detail.slice(0, 300), at: now().toISOString() }
}
