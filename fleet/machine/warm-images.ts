import type { MachineImage } from '#shared/solvers/machine.ts'
import type { MachineEngine } from './machine-engine.ts'

/** After a registry said that too many pulls were made, none is begun ahead for so long, in milliseconds. */
const rest_ms = 600_000
/** Images of trials to come that are made ready at once: as many as an engine downloads parts at once. */
const mostAtOnce = 3

/** What came of making an image ready: it was fetched, was there already, or could not be had. */
export type Warmed = 'fetched' | 'there' | 'failed'
/** Images of a trial that may come to this agent, read when it is their turn. They are not made ready any more when `signal` aborts before they are begun. */
export type Coming = { images(): Promise<readonly MachineImage[]>; signal: AbortSignal }

/**
 * Makes images ready before machines want them. It never fails for anybody; nothing is begun where the engine's disk is nearly full or cannot be seen, and no pull for a
 * while after a registry let nobody pull more. `now`: milliseconds.
 *
 * `warm` pulls for a trial that waits for room, one image at a time: who gets its turn meanwhile shares the pull. Nothing is built for it: a build takes the CPUs that
 * were promised to machines. `expect` makes ready for a trial that may come, three images at once and one build, where no machine waits for an image. What either gives
 * ends when nothing is left to be done.
 */
export function createImageWarmer(
  { images, hasDisk }: Pick<MachineEngine, 'images' | 'hasDisk'>,
  now: () => number,
  onWarmed: (what: Warmed, took_ms: number) => void = () => undefined,
) {
  const closing = new AbortController()
  const coming: Coming[] = []
  let last: Promise<void> = Promise.resolve()
  let building: Promise<unknown> = Promise.resolve()
  let restUntil = 0
  let busy = 0
  const workers = new Set<Promise<void>>()

  const fetch = async (image: MachineImage, signal: AbortSignal): Promise<void> => {
    if (signal.aborted || (image.type === 'named' && now() < restUntil) || !(await hasDisk())) return
    const began = now()
    const outcome = await images.haveAhead(image, signal)
    if (!outcome.ok && outcome.failure.status === 429) restUntil = now() + rest_ms
    onWarmed(!outcome.ok ? 'failed' : outcome.value.fetched ? 'fetched' : 'there', now() - began)
  }
  /** One build after another; pulls go on beside it. */
  const makeReady = (image: MachineImage): Promise<void> => {
    if (image.type === 'named') return fetch(image, closing.signal)
    const built = building.then(() => fetch(image, closing.signal))
    building = built.catch(() => undefined)
    return built
  }
  const work = async (): Promise<void> => {
    for (;;) {
      await images.quiet()
      const next = coming.shift()
      if (!next) return void busy--
      if (next.signal.aborted || closing.signal.aborted) continue
      for (const image of await next.images().catch(() => [])) await makeReady(image).catch(() => undefined)
    }
  }
  return {
    warm(image: MachineImage, signal: AbortSignal): Promise<void> {
      if (image.type === 'named') last = last.then(() => fetch(image, signal)).catch(() => undefined)
      return last
    },
    expect(one: Coming): Promise<void> {
      coming.push(one)
      if (busy < mostAtOnce) {
        busy++
        const worker = work().finally(() => workers.delete(worker))
        workers.add(worker)
      }
      return Promise.all(workers).then(() => undefined)
    },
    /** Gives up what is under way. */
    close: (): void => closing.abort(new Error('The agent closes its machines.')),
  }
}
