import { isWithin, resolveImport, type Target } from './resolve-import.ts'
import type { Import, Source, Tree, Violation } from './source-tree.ts'
import { isForTests, type Zone, zones } from './tables.ts'

/** Imports that the table of zones does not allow, that lead nowhere, or that leave a top folder by a relative path. */
export function checkImports(sources: readonly Source[], tree: Tree): Violation[] {
  return sources.flatMap((source) =>
    source.imports.flatMap((one) => {
      const target = resolveImport(source.path, one.specifier)
      const broken = missing(target, tree) ?? (isForTests(source.path) ? undefined : forbidden(source.path, one, target))
      return broken === undefined ? [] : [{ path: source.path, line: one.line, message: `imports ${one.specifier}: ${broken}` }]
    }),
  )
}

/** The zone a file belongs to. */
export function zoneOf(path: string): Zone {
  const holding = zones.filter((zone) => isWithin(path, zone.path))
  return holding.reduce((best, zone) => (zone.path.length > best.path.length ? zone : best))
}

function missing(target: Target, tree: Tree): string | undefined {
  if (target.kind !== 'path' || isGenerated(target.path) || tree.has(target.path)) return undefined
  return 'there is no such file (write the extension)'
}

/** Build output is not part of the tree. */
function isGenerated(path: string): boolean {
  return /(^|\/)dist\//.test(path) || path.startsWith('../')
}

function forbidden(path: string, one: Import, target: Target): string | undefined {
  const zone = zoneOf(path)
  const name = zone.path || 'the top folder'
  switch (target.kind) {
    case 'node':
      if (!one.specifier.startsWith('node:')) return `write node:${target.name}`
      return allows(zone.node, target.name) ? undefined : `${name} may not use this module of Node`
    case 'package':
      return allows(zone.packages, target.name) ? undefined : `${name} may not use this package`
    case 'path':
      if (target.relative && topOf(path) !== topOf(target.path) && zone.path !== '') return `write #${topOf(target.path)}/…`
      return mayKnow(zone, one, target.path)
        ? undefined
        : `${name} may not know ${topOf(target.path)}${one.typeOnly ? '' : ' (or its types only)'}`
  }
}

function mayKnow(zone: Zone, one: Import, path: string): boolean {
  if (one.typeOnly && zone.knowsTypesOf?.some((place) => isWithin(path, place))) return true
  const refused = zone.butNot?.some((place) => isWithin(path, place)) ?? false
  return !refused && zone.knows.some((place) => isWithin(path, place))
}

function allows(list: readonly string[], name: string): boolean {
  return list.some((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : one === name))
}

function topOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.indexOf('/')) : ''
}
