import { type TrialPages, writeBundle } from '../bundle.ts'
import type { Bytes } from '../byte-source.ts'
import { openWithhold } from '../withhold.ts'
import type { ExportRun } from './format.ts'

/** Nothing can be signed here. */
export class NoSigningKey extends Error {}

/** The signed bundle. Throws `NoSigningKey`, `BundleTooLarge` and `IncompleteRecord`. */
export async function* writeZip(
  { view, claims, withheld, key, artifacts, openSha256 }: ExportRun,
  pages: TrialPages,
): AsyncGenerator<Bytes> {
  if (!key) throw new NoSigningKey('there is no key to sign with')
  const withhold = await openWithhold(key, view.id, withheld)
  yield* writeBundle(claims, pages, key, { withhold, openSha256, ...(artifacts && { artifacts }) })
}
