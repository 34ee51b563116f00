import type { Prepared } from './prepared.ts'

/** Containers that were prepared ahead, by their shape. */
export type WarmPool = {
  /**
   * One of this shape: prepared before by `ahead` and handed over by `hand`, or made now. From then on another is kept ready, as far as there is
   * room. One that cannot be handed over is removed.
   */
  take(shape: string, by: { now(): Promise<Prepared>; ahead(): Promise<Prepared>; hand(ready: Prepared): Promise<void> }): Promise<Prepared>
  /** Removes what is ready, and waits for what is being prepared. */
  close(): Promise<void>
}

/** Keeps at most `most` containers ready, of the shapes that were asked for last; one that ended meanwhile is never given. */
export function openWarmPool(most: number): WarmPool {
  const ready = new Map<string, Prepared[]>()
  const preparing = new Set<Promise<void>>()
  let closed = false
  const number = (): number => [...ready.values()].reduce((sum, some) => sum + some.length, preparing.size)
  const forget = (prepared: Prepared): Promise<void> => prepared.remove().catch(() => undefined)
  const oldest = (shape: string): Prepared | undefined =>
    [...ready].find(([other, some]) => other !== shape && some.length > 0)?.[1].shift()
  const refill = (shape: string, prepare: () => Promise<Prepared>): void => {
    if (closed || most === 0) return
    if (number() >= most) {
      if ((ready.get(shape)?.length ?? 0) > 0) return
      const other = oldest(shape)
      if (!other) return
      void track(forget(other))
    }
    track(
      prepare().then(
        (prepared) => {
          if (closed) return forget(prepared)
          const some = ready.get(shape) ?? []
          some.push(prepared)
          ready.set(shape, some)
          void prepared.keeper.gone.then(() => {
            const at = some.indexOf(prepared)
            if (at >= 0) some.splice(at, 1)
          })
          return undefined
        },
        () => undefined, // who asks next is told why
      ),
    )
  }
  const handOver = (one: Prepared, hand: (ready: Prepared) => Promise<void>): Promise<Prepared | undefined> =>
    hand(one).then(
      () => one,
      () => forget(one).then(() => undefined),
    )
  const track = (work: Promise<void>): void => {
    preparing.add(work)
    void work.finally(() => preparing.delete(work))
  }
  return {
    take: async (shape, { now, ahead, hand }) => {
      const some = ready.get(shape)
      const one = some?.shift()
      if (some) {
        ready.delete(shape)
        ready.set(shape, some)
      }
      const handed = one && (await handOver(one, hand))
      const given = handed ?? (await now())
      refill(shape, ahead)
      return given
    },
    close: async () => {
      closed = true
      await Promise.all([...ready.values()].flat().map(forget))
      ready.clear()
      await Promise.all(preparing)
    },
  }
}
