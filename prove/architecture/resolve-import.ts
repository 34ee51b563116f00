import { isBuiltin } from 'node:module'
import { posix } from 'node:path'

/** What an import names: a path in the repository, a module of Node, or a package (`cloudflare:workers` counts as one). */
export type Target = { kind: 'path'; path: string; relative: boolean } | { kind: 'node'; name: string } | { kind: 'package'; name: string }

/** Targets follow `imports` of package.json: `#web/x` is `web/src/x`, any other `#top/x` is `top/x`; `#sha256` is the one
 * of `shared` where nobody has a faster one. A query such as `?raw` is cut off. */
export function resolveImport(from: string, specifier: string): Target {
  const bare = specifier.replace(/\?.*$/, '')
  if (bare.startsWith('.')) return { kind: 'path', path: posix.join(posix.dirname(from), bare), relative: true }
  if (bare === '#sha256') return { kind: 'path', path: 'shared/sha256.ts', relative: false }
  if (bare.startsWith('#')) return { kind: 'path', path: bare.slice(1).replace(/^web\//, 'web/src/'), relative: false }
  if (isBuiltin(bare)) return { kind: 'node', name: bare.replace(/^node:/, '') }
  const parts = bare.split('/')
  return { kind: 'package', name: bare.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? bare) }
}

/** Whether `path` is `place` or lies below it; everything lies below the empty path. */
export function isWithin(path: string, place: string): boolean {
  return place === '' || place === '*' || path === place || path.startsWith(`${place}/`)
}
