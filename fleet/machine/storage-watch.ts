import type { Container } from 'dockerode'
import * as z from 'zod'
import type { DiskWatch } from './disk-watch.ts'

const Sized = z.object({ SizeRw: z.number().optional() })

/** How often it is looked at least, in milliseconds, and how many times longer than a look takes. */
const pause = { least_ms: 15_000, times: 20 }

/** What looks at a machine's disk where its engine does not limit it. */
export type StorageWatch = {
  /** Looks where the engine's disk has lost so much that the machine may hold too much. Whether it ever did: then `onFull` was called. */
  settle(): Promise<boolean>
  close(): void
}

/**
 * Watches how much a machine has written to its disk beside its image. `onFull` is called where that is more than `most_mb` (`own`), or where the engine's disk has
 * nothing to spare and this machine took most of it (`reserve`). The engine counts file by file: it is asked when its disk lost what the machine may still take, and
 * now and then where that disk cannot be seen from here.
 */
export function watchStorage(
  container: Container,
  { most_mb, disk }: { most_mb: number; disk: DiskWatch },
  onFull: (why: 'own' | 'reserve') => Promise<unknown>,
): StorageWatch {
  let timer: NodeJS.Timeout | undefined
  let closed = false
  let full: Promise<unknown> | null = null
  const place = disk.enter({
    most_bytes: most_mb * 1024 ** 2,
    size: async () => Sized.safeParse(await container.inspect({ size: true })).data?.SizeRw ?? null,
    async onFull(why) {
      if (closed) return
      full = onFull(why)
      await full
    },
  })
  const plan = (after_ms: number): void => {
    timer = setTimeout(() => {
      const began = performance.now()
      void place.look().then(() => !closed && plan(Math.max(pause.least_ms, pause.times * (performance.now() - began))))
    }, after_ms)
    timer.unref()
  }
  plan(pause.least_ms)
  return {
    async settle() {
      await place.settle()
      await full
      return full !== null
    },
    close: () => {
      closed = true
      place.leave()
      clearTimeout(timer)
    },
  }
}
