import type { MachineImage } from '#shared/solvers/machine.ts'
import type { MachineEngine } from './machine-engine.ts'

/** After a registry said that too many pulls were made, none is begun ahead for so long, in milliseconds. */
const rest_ms = 600_000

/**
 * Pulls images ahead for trials that wait for room, one at a time: who gets its turn meanwhile shares the pull. Nothing is begun where the engine's disk is nearly full or
 * cannot be seen, and nothing for a while after a registry let nobody pull more. Images are not built ahead: a build takes the CPUs that were promised to machines. It
 * never fails for anybody; what is given ends when nothing is left to be pulled. `now`: milliseconds.
 */
export function createImageWarmer({ images, hasDisk }: Pick<MachineEngine, 'images' | 'hasDisk'>, now: () => number) {
  let last: Promise<void> = Promise.resolve()
  let restUntil = 0
  const pull = async (image: MachineImage, signal: AbortSignal): Promise<void> => {
    if (signal.aborted || now() < restUntil || !(await hasDisk())) return
    const outcome = await images.have(image, signal)
    if (!outcome.ok && outcome.failure.status === 429) restUntil = now() + rest_ms
  }
  return (image: MachineImage, signal: AbortSignal): Promise<void> => {
    if (image.type === 'named') last = last.then(() => pull(image, signal)).catch(() => undefined)
    return last
  }
}
