import * as z from 'zod'
import { Timestamp } from './ids.ts'

/**
 * Kinds of isolation for code of a model. `bwrap` and `docker` run on the agent's machine, `sandy` is a
 * remote service, `machine` is a container of the task's image with root, for terminal tasks.
 */
export const sandboxKinds = ['bwrap', 'docker', 'sandy', 'machine'] as const
export const SandboxKind = z.enum(sandboxKinds)
export type SandboxKind = z.infer<typeof SandboxKind>

/** A part of a machine; nothing of it is free of charge, so none may be zero. */
const Machine = z.object({
  cpus: z.number().min(0.1).max(1024),
  memory_mb: z.int().min(16).max(16_777_216),
  disk_mb: z.int().min(1).max(1_073_741_824),
})

/** What a trial's sandbox takes. Any one of `kinds` will do; `images` are what its containers start from. */
export const SandboxNeeds = Machine.extend({
  kinds: z.array(SandboxKind).min(1),
  images: z.array(z.string().min(1).max(500)).max(100),
  /** Whether a trial may ask for a network in its sandbox; left out: none has one. */
  network: z.boolean().optional(),
})
export type SandboxNeeds = z.infer<typeof SandboxNeeds>

/** What one trial of a benchmark needs besides its model. */
export const Needs = z.object({
  /** Null: it asks questions and needs no sandbox. */
  sandbox: SandboxNeeds.nullable(),
  /** Whether its times are scored: then its calls have their endpoint to themselves on their agent, and one trial runs at once. */
  timing_sensitive: z.boolean(),
  /** How many of its trials are at work at once at one endpoint, at most, whatever the concurrency of a run; absent: as many as the run has. */
  at_once: z.int().min(1).max(2000).optional(),
  /** How long a trial takes as a rule, in seconds: an agent that loses its run may finish what takes so long. */
  typical_seconds: z.number().min(0.1).max(86_400),
})
export type Needs = z.infer<typeof Needs>

/** How many trials of it may be at work at once, at most; infinite where nothing but the run bounds them. */
export const mostAtOnce = ({ timing_sensitive, at_once }: Pick<Needs, 'timing_sensitive' | 'at_once'>): number =>
  timing_sensitive ? 1 : (at_once ?? Number.POSITIVE_INFINITY)

/** What holds where a card or an older plan does not say: questions and answers. */
export const questionNeeds: Needs = { sandbox: null, timing_sensitive: false, typical_seconds: 20 }

/** What an agent found when it tried a kind of sandbox: only what passed is proved. */
export const SandboxProof = z.object({
  kind: SandboxKind,
  ok: z.boolean(),
  /** What was tried, in a few words: `start, no network, memory limit`. */
  probed: z.string().max(200),
  detail: z.string().max(300),
  at: Timestamp,
})
export type SandboxProof = z.infer<typeof SandboxProof>

/** A part of an agent's means that kinds of sandbox share: those on its machine one, a service elsewhere another. */
export const SandboxPool = Machine.extend({ kinds: z.array(SandboxKind).min(1) })
export type SandboxPool = z.infer<typeof SandboxPool>

/** What an agent has: its machine, its lanes sized apart (calls at once are its `slots`), and a proof for each kind of sandbox it tried. */
export const Resources = z.object({
  machine: z.object({ cpus: z.number().min(0), memory_mb: z.int().min(0), disk_mb: z.int().min(0) }),
  sandboxes: z.array(SandboxPool).max(10),
  proofs: z.array(SandboxProof).max(20),
})
export type Resources = z.infer<typeof Resources>

/** Whether one of the pools is large enough for a sandbox like this, of a kind that will do. */
export function holdsSandbox(pools: readonly SandboxPool[], needs: SandboxNeeds): boolean {
  return pools.some(
    ({ kinds, cpus, memory_mb, disk_mb }) =>
      kinds.some((kind) => needs.kinds.includes(kind)) && cpus >= needs.cpus && memory_mb >= needs.memory_mb && disk_mb >= needs.disk_mb,
  )
}

/** The pools an agent may be matched for: of kinds that it has proved, and no others. */
export function provedPools({ sandboxes, proofs }: Pick<Resources, 'sandboxes' | 'proofs'>): SandboxPool[] {
  const proved = new Set(proofs.filter(({ ok }) => ok).map(({ kind }) => kind))
  return sandboxes
    .map((pool) => ({ ...pool, kinds: pool.kinds.filter((kind) => proved.has(kind)) }))
    .filter(({ kinds }) => kinds.length > 0)
}
