import type { Registries } from '#shared/dockerfile/registries.ts'
import type { OnHad } from './machine-images.ts'
import type { MachineSizes } from './machine-settings.ts'
import type { RegistryLogin } from './registry-login.ts'
import type { Warmed } from './warm-images.ts'

/** What an agent may choose; everything has a default. */
export type MachineOptions = {
  /** Whose the machines are: one agent of a data directory has a name of its own, so that it finds what it left. Default: nobody else's. */
  owner?: string
  /** Engines, as `DOCKER_HOST` names one. Default: those of `BENCH_DOCKER_HOSTS` between commas, else Docker's own default. */
  engines?: readonly string[]
  /** The network of machines whose spec says `public`. Default: `BENCH_MACHINE_NETWORK`, else `bridge`. */
  network?: string
  /** The network of builds that may reach the internet. Default: that of machines. */
  buildNetwork?: string
  /** Builds have that network whatever mode their task has. Default: where `BENCH_BUILD_NETWORK` is `public`. */
  always_online?: boolean
  /** Registries that tasks may name beside the usual ones. Default: those of `BENCH_REGISTRIES` between commas. */
  registries?: Registries
  /** MB of an engine's disk that no machine and no build may take. Default: `BENCH_DISK_RESERVE_MB`, else 5,120. */
  reserve_mb?: number
  /** What stands in place of Docker's hub in names of images, `host` or `host/path`. Default: `BENCH_REGISTRY_MIRROR`. */
  mirror?: string
  /** Default: `BENCH_REGISTRY_LOGINS`. */
  logins?: readonly RegistryLogin[]
  /** What the machines of an engine may take together. Default: its cores, and nine tenths of its memory. */
  room?: { cpus?: number; memory_mb?: number }
  /** What a machine gets where its spec does not say. Default: 1 CPU, 2 GB of memory, 10 GB of storage. */
  unsaid?: MachineSizes
  /** Free MB on an engine's disk below which images that were pulled or built for machines are removed before another is. Default: 10,240. */
  leastFree_mb?: number
  /** Gets how far a pull or a build is. */
  say?(line: string): void
  /** Hears how each machine came to its image. */
  onHad?: OnHad
  /** Hears what came of making an image ready before a machine wanted it, and how long that took. */
  onWarmed?(what: Warmed, took_ms: number): void
}

/** Reads `BENCH_DISK_RESERVE_MB`. Throws in a sentence where it is no number of MB. */
export function readReserve(text: string | undefined): number {
  if (!text?.trim()) return 5120
  if (!/^\d{1,9}$/.test(text.trim())) throw new Error('BENCH_DISK_RESERVE_MB is no whole number of MB.')
  return Number(text)
}
