import type { Tree } from '../architecture/source-tree.ts'

/** A command of a document with all that its judgement needs. */
export type Place = {
  /** The files of the repository. */
  tree: Tree
  /** Whether a sentence names the command, so that arguments may be left out. */
  mention: boolean
}

export const fileText = (tree: Tree, path: string): string => {
  const text = tree.get(path)
  if (text === undefined) throw new Error(`there is no ${path}`)
  return text
}

/** The first of these flags that no program text names, as an option of `parseArgs` or as it is typed; null where all are there. */
export function unknownFlag(words: readonly string[], ...texts: string[]): string | null {
  const flags = words.flatMap((word) => /^--([a-z][a-z-]*)/.exec(word)?.[1] ?? [])
  const all = texts.join('\n')
  return flags.find((flag) => !all.includes(`--${flag}`) && !new RegExp(`(?:^|[\\s{,])'?${flag}'?: \\{`, 'm').test(all)) ?? null
}
