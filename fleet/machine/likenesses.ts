import type { MachineSpec } from '#shared/solvers/machine.ts'
import type { Likeness } from '#shared/solvers/machine-sight.ts'
import type { ReadyImage } from './machine-images.ts'
import { isBareShell } from './machine-settings.ts'

/** How many kinds of machines are known at a time; those that were not asked for longest go first. */
const most = 500

/** The kinds of machines of an engine. */
export type Likenesses = {
  /** One and the same for all machines that begin exactly alike; undefined where something runs in them of which nobody knows what it does. */
  of(spec: MachineSpec, image: ReadyImage): Likeness | undefined
}

/**
 * Tells which machines begin exactly alike: those of one image, by its own id, with the same variables, directory and folders, in which nothing ran but our own
 * first program. An entry point, a health check and services may each change a machine before it is given out.
 */
export function createLikenesses(): Likenesses {
  const known = new Map<string, Likeness>()
  return {
    of({ env, workdir, places, healthcheck, services }, { id, entrypoint }) {
      if (services || healthcheck !== null || !(entrypoint.length === 0 || isBareShell(entrypoint))) return undefined
      const key = JSON.stringify([id, Object.entries(env), workdir, places])
      const likeness = known.get(key) ?? { sight: null }
      known.delete(key)
      known.set(key, likeness)
      if (known.size > most) known.delete(known.keys().next().value!)
      return likeness
    },
  }
}
