import { resolveImport } from './resolve-import.ts'
import type { Source, Violation } from './source-tree.ts'

/** Circles of files that import each other's values when they load. Types and lazy imports close no circle. Each circle is told once. */
export function checkCycles(sources: readonly Source[]): Violation[] {
  const graph = new Map(sources.map((source) => [source.path, targetsOf(source)]))
  const done = new Set<string>()
  const violations: Violation[] = []
  const follow = (path: string, trail: string[]): void => {
    const start = trail.indexOf(path)
    if (start >= 0) violations.push({ path, line: 1, message: `circular import: ${[...trail.slice(start), path].join(' → ')}` })
    if (start >= 0 || done.has(path)) return
    for (const next of graph.get(path) ?? []) follow(next, [...trail, path])
    done.add(path)
  }
  for (const path of graph.keys()) follow(path, [])
  return violations
}

function targetsOf(source: Source): string[] {
  return source.imports.flatMap((one) => {
    const target = resolveImport(source.path, one.specifier)
    return target.kind === 'path' && !one.typeOnly && !one.lazy ? [target.path] : []
  })
}
