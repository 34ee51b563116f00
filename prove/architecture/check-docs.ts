import { basename, posix } from 'node:path'
import type { Tree, Violation } from './source-tree.ts'

/** Paths that a Markdown file names, in backticks or as a link, and that the repository does not have. */
export function checkDocs(tree: Tree): Violation[] {
  const folders = foldersOf(tree)
  const names = new Set([...tree.keys()].map((path) => basename(path)))
  return [...tree]
    .filter(([path]) => path.endsWith('.md'))
    .flatMap(([path, text]) =>
      text.split('\n').flatMap((line, index) =>
        named(line)
          .filter((name) => !exists(name, path, tree, folders, names))
          .map((name) => ({ path, line: index + 1, message: `names ${name}, which is not there` })),
      ),
    )
}

function named(line: string): string[] {
  const quoted = [...line.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '').filter((text) => /^[\w.@[\]/-]+\/?(:\d+)?$/.test(text))
  const links = [...line.replace(/`[^`]*`/g, '').matchAll(/\]\((?!\w+:|#)([^)\s#]+)[^)]*\)/g)].map((match) => `./${match[1]}`)
  return [...quoted.map((text) => text.replace(/:\d+$/, '')), ...links]
}

function exists(name: string, doc: string, tree: Tree, folders: ReadonlySet<string>, names: ReadonlySet<string>): boolean {
  const path = name.replace(/\/$/, '')
  const has = (candidate: string) => tree.has(candidate) || folders.has(candidate)
  const beside = posix.join(posix.dirname(doc), path)
  if (path.startsWith('./') || path.startsWith('../')) return has(beside)
  const [top = ''] = path.split('/')
  if (path.includes('/')) return !folders.has(top) || has(path) || has(beside)
  return !/\.(ts|tsx|mjs)$/.test(path) || names.has(path)
}

function foldersOf(tree: Tree): Set<string> {
  const folders = new Set<string>()
  for (const path of tree.keys()) {
    for (let folder = posix.dirname(path); folder !== '.'; folder = posix.dirname(folder)) folders.add(folder)
  }
  return folders
}
