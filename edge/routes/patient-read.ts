import { DatabaseAway } from '#db/store.ts'

const waits: readonly number[] = [250, 500, 1_000, 2_000, 4_000, 8_000, 15_000]

/**
 * Reads again while the database is away, for half a minute: a download whose headers have left cannot be refused any more, and a reader may
 * take a cut one for whole. Then, and for every other error, it throws. `waitsMs` are the pauses in milliseconds.
 */
export async function readPatiently<T>(read: () => Promise<T>, waitsMs = waits): Promise<T> {
  for (const waitMs of waitsMs) {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof DatabaseAway)) throw error
      await new Promise((done) => setTimeout(done, waitMs))
    }
  }
  return read()
}
