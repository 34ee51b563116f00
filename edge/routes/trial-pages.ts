import type { Store, StoredTrial } from '#db/store.ts'
import { readPatiently } from './patient-read.ts'

/**
 * All trials of a run after one, in pages by ordinal. The next page is on its way while one is worked on. The first is read once, since a
 * refusal is still possible then; the others are read again for half a minute while the database is away.
 */
export async function* trialPages(
  store: Pick<Store, 'listTrials'>,
  run_id: string,
  after: number,
  size: number,
): AsyncGenerator<StoredTrial[]> {
  const load = (from: number) => store.listTrials(run_id, from, size)
  let next = load(after)
  for (;;) {
    const page = await next
    const from = page.next
    if (from !== null) {
      next = readPatiently(() => load(from))
      next.catch(() => undefined) // it is looked at in the next turn, if there is one
    }
    if (page.trials.length > 0) yield page.trials
    if (from === null) return
  }
}
