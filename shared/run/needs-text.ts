import { type Needs, provedPools, type Resources, type SandboxNeeds } from '../contract/resources.ts'

/** What a trial needs besides its model, in words. */
export function needsText({ sandbox, timing_sensitive, at_once }: Needs): string {
  const parts = [
    ...(sandbox ? [sandboxText(sandbox)] : []),
    ...(timing_sensitive ? ['its endpoint to itself'] : []),
    ...(at_once === undefined || timing_sensitive ? [] : [`at most ${at_once} of its trials at once at an endpoint`]),
  ]
  return parts.join(', ') || 'nothing'
}

/** `a sandbox (docker or bwrap) of 2 cpus, 4 GB memory, 10 GB disk`. */
export function sandboxText({ kinds, cpus, memory_mb, disk_mb }: Pick<SandboxNeeds, 'kinds' | 'cpus' | 'memory_mb' | 'disk_mb'>): string {
  return `a sandbox (${kinds.join(' or ')}) of ${cpus} ${cpus === 1 ? 'cpu' : 'cpus'}, ${sizeText(memory_mb)} memory, ${sizeText(disk_mb)} disk`
}

/** Megabytes as people read them: `512 MB`, `4 GB`, `1.5 GB`. */
export const sizeText = (mb: number): string => (mb < 1000 ? `${mb} MB` : `${Math.round(mb / 102.4) / 10} GB`)

/** What an agent has besides its slots, in words. */
export function resourcesText(resources: Resources): string {
  const { machine, proofs } = resources
  const kinds = provedPools(resources).flatMap((pool) => pool.kinds)
  const failed = proofs.filter(({ ok }) => !ok).map(({ kind, detail }) => (detail ? `${kind} (${detail})` : kind))
  return [
    `${machine.cpus} ${machine.cpus === 1 ? 'cpu' : 'cpus'}, ${sizeText(machine.memory_mb)} memory, ${sizeText(machine.disk_mb)} free disk`,
    kinds.length > 0 ? `sandboxes: ${kinds.join(', ')}` : 'no sandbox: it is given questions only',
    ...(failed.length > 0 ? [`not proved: ${failed.join(', ')}`] : []),
  ].join('; ')
}
