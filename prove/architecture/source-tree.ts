import { readdir, readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { dataFolders } from './tables.ts'

/** Repository files by path (with `/`); the text of those that no checker reads is empty, as is that of catalogue tasks. */
export type Tree = ReadonlyMap<string, string>
export type Import = { specifier: string; typeOnly: boolean; lazy: boolean; line: number }
export type Source = { path: string; text: string; program: Node; imports: Import[] }
export type Node = { type: string; start: number; end: number; [key: string]: unknown }
export type Violation = { path: string; line: number; message: string }

const readable = /\.(ts|tsx|mjs|js|md|json|css|toml|yml|yaml)$/
const code = /\.(ts|tsx|mjs|js)$/
/** Programs and texts that models are asked about: data to us, in several languages and with faults on purpose. */
const data = /^shared\/benchmarks\/code_tasks\/catalogue\/./

/** Reads the working tree below `root`, without folders of data and without what `.gitignore` names by a plain file or folder name, anywhere or after `/` at the top. */
export async function readTree(root: string): Promise<Tree> {
  const ignored = (await readFile(join(root, '.gitignore'), 'utf8')).split('\n').map((line) => line.replace(/\/$/, ''))
  const skip = new Set(['.git', 'node_modules', ...ignored.filter((name) => /^\/?[\w.-]+$/.test(name))])
  const tree = new Map<string, string>()
  const walk = async (folder: string): Promise<void> => {
    const entries = await readdir(join(root, folder), { withFileTypes: true })
    await Promise.all(
      entries.map(async (entry) => {
        const path = posix.join(folder, entry.name)
        if (skip.has(entry.name) || skip.has(`/${path}`) || dataFolders.some((folder) => folder.test(path))) return
        if (entry.isDirectory()) await walk(path)
        else if (entry.isFile()) tree.set(path, readable.test(path) && !data.test(path) ? await readFile(join(root, path), 'utf8') : '')
      }),
    )
  }
  await walk('')
  return new Map([...tree].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Parses every code file of a tree. A file that does not parse throws, with its path. */
export function parseTree(tree: Tree): Source[] {
  return [...tree].filter(([path]) => code.test(path) && !path.endsWith('.d.ts')).map(([path, text]) => parseSource(path, text))
}

function parseSource(path: string, text: string): Source {
  const lang = path.endsWith('.tsx') ? 'tsx' : path.endsWith('.ts') ? 'ts' : 'js'
  let program: Node
  try {
    program = parseAst(text, { lang }) as unknown as Node // Only `type`, `start` and `end` are relied on, which every ESTree node has.
  } catch (cause) {
    throw new Error(`${path} does not parse`, { cause })
  }
  return { path, text, program, imports: importsOf(program, text) }
}

function importsOf(program: Node, text: string): Import[] {
  const imports: Import[] = []
  const add = (node: Node, source: unknown, typeOnly: boolean, lazy: boolean) => {
    const specifier = (source as { value?: unknown } | null)?.value
    if (typeof specifier === 'string') imports.push({ specifier, typeOnly, lazy, line: lineAt(text, node.start) })
  }
  for (const node of program.body as Node[]) {
    if (node.type === 'ImportDeclaration') add(node, node.source, isTypeOnly(node, 'importKind'), false)
    if (node.type === 'ExportAllDeclaration' || node.type === 'ExportNamedDeclaration')
      add(node, node.source, isTypeOnly(node, 'exportKind'), false)
    if (node.type === 'TSImportEqualsDeclaration') add(node, (node.moduleReference as Node).expression, node.importKind === 'type', false)
  }
  if (/\bimport\s*\(/.test(text)) {
    visit(program, (node) => {
      if (node.type === 'ImportExpression') add(node, node.source, false, true)
      if (node.type === 'TSImportType') add(node, node.source ?? node.argument, true, true)
    })
  }
  return imports
}

function isTypeOnly(node: Node, kind: 'importKind' | 'exportKind'): boolean {
  const specifiers = (node.specifiers ?? []) as Node[]
  return node[kind] === 'type' || (specifiers.length > 0 && specifiers.every((one) => one[kind] === 'type'))
}

/** Calls `look` for every node below and including `node`. */
export function visit(node: Node, look: (node: Node) => void): void {
  look(node)
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child === 'object' && child !== null && typeof child.type === 'string') visit(child, look)
    }
  }
}

/** One-based line of an offset. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}
