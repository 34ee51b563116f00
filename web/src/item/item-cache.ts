import { isServer } from 'solid-js/web'
import { RunItemDetail } from '#shared/contract/api.ts'
import { type Answer, ask } from '../api.ts'
import { itemApiPath } from '../paths.ts'

type Entry = { atMs: number; answer: Promise<Answer<RunItemDetail>> }

const mostItems = 40
const keptMs = 60_000

/** Items looked at lately and their neighbours, of this visitor's browser; a server answers many visitors and keeps none. */
const kept = new Map<string, Entry>()

/** An item with its record, from the cache where it was fetched within the last minute. Problems are not kept. */
export function loadItem(run: string, benchmark: string, item: string, epoch: string): Promise<Answer<RunItemDetail>> {
  const path = itemApiPath(run, benchmark, item, epoch)
  if (isServer) return ask(RunItemDetail, path)
  const known = kept.get(path)
  if (known && Date.now() - known.atMs < keptMs) return known.answer
  const entry: Entry = { atMs: Date.now(), answer: ask(RunItemDetail, path) }
  kept.delete(path)
  kept.set(path, entry)
  for (const oldest of [...kept.keys()].slice(0, -mostItems)) kept.delete(oldest)
  void entry.answer.then((answer) => {
    if (!answer.ok && kept.get(path) === entry) kept.delete(path)
  })
  return entry.answer
}

export function prefetchItem(run: string, benchmark: string, item: string, epoch: string): void {
  void loadItem(run, benchmark, item, epoch)
}
