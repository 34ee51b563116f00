import type { SandboxSpec } from '#shared/solvers/sandbox.ts'
import { sizeRefusal } from '../size-refusal.ts'

/** Why no sandbox of bubblewrap can be like this, in a sentence; null: one can. */
export function refusalOf(spec: SandboxSpec): string | null {
  if (spec.image !== null) return 'bubblewrap has no images: programs see the system of the agent’s machine.'
  if (spec.network) return 'bubblewrap sandboxes have no network.'
  return sizeRefusal('bubblewrap', spec)
}
