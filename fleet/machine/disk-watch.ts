/** Something that takes room on an engine's disk. */
export type DiskTaker = {
  most_bytes: number
  /** How much it has taken; null where it cannot be counted, so that all that the disk lost since it began is held to be its own. */
  size(): Promise<number | null>
  /**
   * `own`: it has taken more than it may. `reserve`: the disk has no more to give, and of all it has taken most. It is told again when what this gives has come and the
   * disk goes on losing.
   */
  onFull(why: 'own' | 'reserve'): Promise<unknown>
}

/** One taker while it is watched. */
export type DiskPlace = {
  /** Looks at once where the disk has lost so much that the taker may have too much. */
  settle(): Promise<void>
  /** Counts, whatever the disk has lost. */
  look(): Promise<void>
  leave(): void
}

/** Watches the disk of one engine. Nothing is asked while nobody takes room. */
export type DiskWatch = { enter(taker: DiskTaker): DiskPlace; close(): void }

type Watched = DiskTaker & { began: number | null; looked: number | null; size_bytes: number; full: boolean; looking: Promise<void> | null }

/** How often free room is looked at, in milliseconds. */
export const diskPause_ms = 200
/** What a disk must lose before a taker is counted again, at the least: counting goes file by file. */
const step_bytes = 16 * 2 ** 20

/**
 * Watches free room on a disk, which costs next to nothing, and counts what a taker has only when the disk has lost as much as it may still take. `free`: bytes, null
 * where the disk cannot be seen. `reserve`: bytes that nobody takes.
 */
export function createDiskWatch({ free, reserve }: { free(): Promise<number | null>; reserve(): Promise<number> }): DiskWatch {
  const takers = new Set<Watched>()
  let timer: NodeJS.Timeout | undefined
  let closed = false

  const count = async (taker: Watched, now: number | null): Promise<void> => {
    const counted = await taker.size().catch(() => null)
    taker.size_bytes = counted ?? Math.max(0, (taker.began ?? 0) - (now ?? taker.began ?? 0))
    taker.looked = now
    if (taker.size_bytes > taker.most_bytes && takers.has(taker)) tell(taker, 'own')
  }
  const tell = (taker: Watched, why: 'own' | 'reserve'): void => {
    if (taker.full) return
    taker.full = true
    void Promise.resolve(taker.onFull(why))
      .catch(() => undefined)
      .then(() => {
        taker.full = false
        taker.looked = null
      })
  }
  const look = (taker: Watched, now: number | null): Promise<void> => {
    taker.looking ??= count(taker, now).finally(() => {
      taker.looking = null
    })
    return taker.looking
  }
  const mayBeFull = ({ looked, most_bytes, size_bytes }: Watched, now: number): boolean =>
    looked !== null && looked - now >= Math.max(step_bytes, 0.9 * (most_bytes - size_bytes))
  const settle = async (taker: Watched): Promise<void> => {
    const now = await free()
    if (now === null) return
    taker.began ??= now
    taker.looked ??= now
    // A disk that got room back hides what is taken from then on.
    if (now > taker.looked) taker.looked = now
    if (mayBeFull(taker, now)) await look(taker, now)
  }
  const keepReserve = async (): Promise<void> => {
    const now = await free()
    if (now === null || now >= (await reserve())) return
    const open = [...takers].filter(({ full }) => !full)
    await Promise.all(open.map((taker) => look(taker, now)))
    const [largest] = open.filter(({ full }) => !full).sort((one, other) => other.size_bytes - one.size_bytes)
    // Who exceeds its own size has just been told; else the largest gives way.
    if (largest && open.every(({ full }) => !full)) tell(largest, 'reserve')
  }
  const plan = (): void => {
    if (closed || takers.size === 0 || timer !== undefined) return
    timer = setTimeout(() => {
      void Promise.all([...takers].filter(({ full }) => !full).map(settle))
        .then(keepReserve)
        .catch(() => undefined)
        .finally(() => {
          timer = undefined
          plan()
        })
    }, diskPause_ms)
    timer.unref()
  }
  return {
    enter(one) {
      const taker: Watched = { ...one, began: null, looked: null, size_bytes: 0, full: false, looking: null }
      takers.add(taker)
      void settle(taker).catch(() => undefined)
      plan()
      return {
        settle: () => settle(taker).catch(() => undefined),
        look: () => look(taker, taker.looked),
        leave: () => void takers.delete(taker),
      }
    },
    close() {
      closed = true
      clearTimeout(timer)
    },
  }
}
