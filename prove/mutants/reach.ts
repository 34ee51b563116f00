import { dirname } from 'node:path'
import { resolveImport } from '../architecture/resolve-import.ts'
import type { Source } from '../architecture/source-tree.ts'

export type Test = { path: string; project: 'unit' | 'workers'; distance: number }

const isTest = /\.test\.ts$/
/** These bring up whole systems, or prove this very program. */
const tooLarge = /^(?:e2e|prove\/chaos|prove\/mutants|prove\/checks|prove\/bench|prove\/parity|edge\/local)\/|architecture/

const inWorkerd = /^edge\/.*\.workers\.test\.ts$/
/** What the tests inside workerd reach by bindings. */
const workerUnderTest = 'edge/objects/testing/objects-worker.ts'
/** Tests that are farther away go through so much else that they say little of a file, and take long. */
const most = 12

/**
 * The tests that reach a file by imports: those of its folder first, then the nearest. Tests that say nothing of the code's behaviour, or
 * start whole systems, are not among them.
 */
export function testsOf(path: string, sources: readonly Source[]): Test[] {
  const importers = new Map<string, string[]>()
  const add = (target: string, importer: string) => importers.set(target, [...(importers.get(target) ?? []), importer])
  for (const { path: importer, imports } of sources) {
    for (const { specifier, typeOnly } of imports) {
      const target = resolveImport(importer, specifier)
      if (!typeOnly && target.kind === 'path') add(target.path, importer)
    }
    if (inWorkerd.test(importer)) add(workerUnderTest, importer)
  }
  const distances = new Map([[path, 0]])
  for (const file of distances.keys())
    for (const importer of importers.get(file) ?? []) if (!distances.has(importer)) distances.set(importer, distances.get(file)! + 1)
  return [...distances]
    .filter(([file]) => isTest.test(file) && !tooLarge.test(file))
    .map(([file, distance]) => ({
      path: file,
      project: file.endsWith('.workers.test.ts') ? ('workers' as const) : ('unit' as const),
      distance,
    }))
    .sort((a, b) => apart(path, a) - apart(path, b) || (a.path < b.path ? -1 : 1))
    .slice(0, most)
}

/** Folder before project before distance: what starts workerd takes longer. */
const apart = (path: string, test: Test): number =>
  (dirname(test.path) === dirname(path) ? 0 : 100) + (test.project === 'unit' ? 0 : 10) + test.distance
