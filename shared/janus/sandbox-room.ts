import type { SandboxSpec } from '../solvers/sandbox.ts'

/** Room of a program of an answer. */
export const janusSandbox: SandboxSpec = { image: null, cpus: 1, memory_mb: 512, disk_mb: 64, network: false }
