import type { Tree, Violation } from './source-tree.ts'
import { isForTests } from './tables.ts'

const configPath = 'shared/tsconfig.json'

/** What lets I/O compile in `shared`: other libraries or types in its tsconfig, or globals declared anywhere but in `globals.d.ts`. */
export function checkShared(tree: Tree): Violation[] {
  const violations: Violation[] = []
  const { compilerOptions } = JSON.parse(tree.get(configPath) ?? '{}') as { compilerOptions?: { lib?: unknown; types?: unknown } }
  const pure = JSON.stringify(compilerOptions?.lib) === '["es2023","esnext.disposable"]' && JSON.stringify(compilerOptions?.types) === '[]'
  if (!pure) violations.push({ path: configPath, line: 1, message: 'lib must be es2023 and esnext.disposable, types must be empty' })
  for (const [path, text] of tree) {
    if (!path.startsWith('shared/') || !path.endsWith('.ts') || path === 'shared/globals.d.ts' || isForTests(path)) continue
    const lines = text.split('\n')
    const line = lines.findIndex((one) =>
      /^\/\/\/\s*<reference|^\s*declare (global|const|let|var|function|class|namespace)\b|\bglobalThis\b/.test(one),
    )
    if (line >= 0) violations.push({ path, line: line + 1, message: 'reaches for a global; shared/globals.d.ts lists all there are' })
  }
  return violations
}
