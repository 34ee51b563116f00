import { registerHooks } from 'node:module'
import type { Planted } from './planted.ts'

/** Everything that this thread imports from now on is what the service runs, with this bug planted in it. */
export function plantIn({ edits: all }: Planted): void {
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context)
      const edits = all.filter(({ path }) => url.endsWith(`/${path}`))
      return edits.length === 0 ? loaded : { ...loaded, source: edits.reduce(plant, String(loaded.source)) }
    },
  })
}

/** The source with one edit. @throws Error when its text is not there exactly once. */
export function plant(source: string, { path, find, replace }: Planted['edits'][number]): string {
  const start = source.indexOf(find)
  if (start === -1 || source.indexOf(find, start + 1) !== -1)
    throw new Error(`${path}: exactly one place must read ${JSON.stringify(find)}`)
  return source.slice(0, start) + replace + source.slice(start + find.length)
}
