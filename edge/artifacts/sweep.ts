import * as z from 'zod'
import { RunId, Sha256 } from '#shared/contract/ids.ts'
import type { Deps } from '../deps.ts'
import { archiveAt, keyOfArchive } from '../tasks/task-archive.ts'
import { keyOf } from './bucket.ts'

/** Younger objects are left alone: the record that names them may be on its way. It is also how long a bucket rests that was gone through. */
const dayMs = 24 * 60 * 60_000
/** Pages of the bucket that one call looks at: 10,000 objects. */
const pagesAtOnce = 10

/** Where the sweep stands: after which key it goes on, and not before when. */
const Place = z.object({ after: z.string().nullable(), from_ms: z.number() })
type Place = z.infer<typeof Place>
const noteName = 'artifact-sweep'

type Memory = { note(name: string): Promise<string | null>; keep(name: string, text: string): Promise<void> }

/**
 * Deletes what nobody can ask for: objects older than a day that no trial of an ended run and no task names, and those of runs that the record does not
 * know. The bucket is gone through once a day, a stretch at a call; a call outside that asks neither bucket nor record. Gives how many went.
 */
export async function sweepArtifacts(
  { artifacts, store, now }: Pick<Deps, 'artifacts' | 'store' | 'now'>,
  memory: Memory,
): Promise<number> {
  const nowMs = now().getTime()
  const place = readPlace(await memory.note(noteName))
  if (!artifacts || nowMs < place.from_ms) return 0
  let { after } = place
  let deleted = 0
  for (let page = 0; page < pagesAtOnce; page++) {
    const { objects, ended } = await artifacts.list(after)
    const old = objects.filter(({ uploaded_at }) => nowMs - uploaded_at.getTime() >= dayMs).map(({ key }) => key)
    const gone = await unnamed(old, store)
    if (gone.length > 0) await artifacts.delete(gone)
    deleted += gone.length
    after = objects.at(-1)?.key ?? after
    const next: Place = ended ? { after: null, from_ms: nowMs + dayMs } : { after, from_ms: 0 }
    await memory.keep(noteName, JSON.stringify(next))
    if (ended) break
  }
  return deleted
}

/** Of these keys those whose bytes nobody names: no trial, and no task. */
async function unnamed(keys: readonly string[], store: Deps['store']): Promise<string[]> {
  const left = keys.flatMap(namedBy)
  const archives = keys.flatMap((key) => archiveAt(key) ?? [])
  const gone = left.length > 0 ? await store.listUnnamedArtifacts(left) : []
  const nobodys = archives.length > 0 ? await store.listUnnamedArchives(archives) : []
  return [...gone.map(({ run_id, sha256 }) => keyOf(run_id, sha256)), ...nobodys.map(keyOfArchive)]
}

function readPlace(text: string | null): Place {
  return text === null ? { after: null, from_ms: 0 } : Place.parse(JSON.parse(text))
}

/** The run and hash that a key names; nothing for one that is not ours. */
function namedBy(key: string): { run_id: string; sha256: string }[] {
  const [run_id = '', sha256 = ''] = key.split('/')
  return RunId.safeParse(run_id).success && Sha256.safeParse(sha256).success && keyOf(run_id, sha256) === key ? [{ run_id, sha256 }] : []
}
