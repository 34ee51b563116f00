import { type ArtifactKind, ArtifactRef, artifactKinds, mostArtifactBytes, mostArtifacts } from '../contract/artifact.ts'

/** A file of an episode's folder, by its path there. */
export type EpisodeFile = { name: string; bytes: number }
/** One that is taken over, and as what; `left`: names of those that are not, because a trial may not leave such a thing. */
export type ChosenFile = EpisodeFile & Pick<ArtifactRef, 'kind' | 'media_type'>
export type ChosenFiles = { taken: ChosenFile[]; left: string[] }

const kinds: [RegExp, ArtifactKind, string][] = [
  [/(?:^|\/)trajectory[\w.-]*\.json$/, 'file', 'application/json'],
  [/\.cast$/, 'recording', 'application/x-asciicast'],
  [/\.(?:txt|log)$/, 'log', 'text/plain; charset=utf-8'],
  [/\.json$/, 'file', 'application/json'],
]
const kindOf = (path: string): readonly [ArtifactKind, string] => {
  const [, kind = 'file', type = 'application/octet-stream'] = kinds.find(([pattern]) => pattern.test(path)) ?? []
  return [kind, type]
}

/** The files of an episode that its trial keeps as artifacts, in the order of their names, as far as names, sizes and number allow. */
export function chooseArtifacts(files: readonly EpisodeFile[]): ChosenFiles {
  const chosen: ChosenFiles = { taken: [], left: [] }
  let sum = 0
  for (const { name, bytes } of files.filter((file) => !isResult(file.name)).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const [kind, media_type] = kindOf(name)
    const fits = bytes <= artifactKinds[kind] && sum + bytes <= mostArtifactBytes && chosen.taken.length < mostArtifacts
    if (!fits || !ArtifactRef.safeParse({ name, kind, media_type, bytes, sha256: '0'.repeat(64) }).success) {
      chosen.left.push(name)
      continue
    }
    sum += bytes
    chosen.taken.push({ name, bytes, kind, media_type })
  }
  return chosen
}

/** What the record itself is made of. */
const isResult = (name: string): boolean => /^(?:config|lock|result)\.json$/.test(name)
