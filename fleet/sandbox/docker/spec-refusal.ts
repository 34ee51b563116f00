import type { SandboxSpec } from '#shared/solvers/sandbox.ts'
import { sizeRefusal } from '../size-refusal.ts'

/** Why no container can be like this, in a sentence; null: one can. */
export function refusalOf(spec: SandboxSpec): string | null {
  if (spec.image !== null && !/^[\w][\w.:/@-]{0,499}$/.test(spec.image)) return 'This is no name of an image.'
  return sizeRefusal('Docker', spec)
}
