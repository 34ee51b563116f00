import { posix } from 'node:path'
import type { Tree } from '../architecture/source-tree.ts'
import { madeFiles } from './made-files.ts'
import type { Document } from './read-document.ts'

const endings = 'md|tsx?|mjs|json|jsonl|toml|ya?ml|sh|txt|pem|env|zip|csv|py|sql|html|log|tgz|cast|xml|pdf'
const fileName = new RegExp(`^[\\w.@-]+(?:/[\\w.@-]+)*(?:\\.(?:${endings})|/)$`)

/** Files and folders that a document names and that neither the repository nor the table of made files has. A name stands from the top, beside the document or alone. */
export function lostFiles({ path, spans }: Document, tree: Tree): string[] {
  const paths = new Set(tree.keys())
  for (const file of tree.keys()) for (let dir = posix.dirname(file); dir !== '.'; dir = posix.dirname(dir)) paths.add(dir)
  const has = (name: string) =>
    paths.has(name) || paths.has(posix.join(posix.dirname(path), name)) || [...paths].some((one) => one.endsWith(`/${name}`))
  return spans.flatMap(({ text, line }) =>
    fileName.test(text) && madeFiles[text] === undefined && !has(text.replace(/\/$/, '')) ? [`${path}:${line} ${text}`] : [],
  )
}
