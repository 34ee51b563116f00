import { basename } from 'node:path'
import { lineAt, type Node, type Source, type Tree, type Violation } from './source-tree.ts'
import { bannedNames, defaultExports, freeNames, maxLines } from './tables.ts'

const code = /\.(ts|tsx|mjs|js)$/
const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9-]+)*$/

/** Code files that are too long or whose names say nothing, and default exports where nothing asks for one. */
export function checkFiles(sources: readonly Source[], tree: Tree): Violation[] {
  const named = [...tree.keys()].filter((path) => code.test(path)).flatMap((path) => checkName(path))
  return [...named, ...sources.flatMap((source) => [...checkLength(source), ...checkDefault(source)])]
}

function checkName(path: string): Violation[] {
  const name = basename(path)
  if (freeNames.some((pattern) => pattern.test(path))) return []
  if (bannedNames.includes(name.split('.')[0] ?? ''))
    return [{ path, line: 1, message: `"${name}" says nothing: name the file after its main export` }]
  return kebab.test(name.replace(code, '')) ? [] : [{ path, line: 1, message: `"${name}" is not kebab-case` }]
}

function checkLength({ path, text }: Source): Violation[] {
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
  return lines > maxLines ? [{ path, line: lines, message: `${lines} lines; ${maxLines} is the wall` }] : []
}

function checkDefault({ path, text, program }: Source): Violation[] {
  if (defaultExports.some((pattern) => pattern.test(path))) return []
  const found = (program.body as Node[]).find((node) => node.type === 'ExportDefaultDeclaration' || exportsDefault(node))
  return found
    ? [{ path, line: lineAt(text, found.start), message: 'has a default export; only entries, routes, configs and tasks have one' }]
    : []
}

function exportsDefault(node: Node): boolean {
  if (node.type !== 'ExportNamedDeclaration') return false
  return (node.specifiers as { exported?: { name?: string } }[]).some((one) => one.exported?.name === 'default')
}
