import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkComments } from './prove/architecture/check-comments.ts'
import { checkCycles } from './prove/architecture/check-cycles.ts'
import { checkDocs } from './prove/architecture/check-docs.ts'
import { checkFiles } from './prove/architecture/check-files.ts'
import { checkImports } from './prove/architecture/check-imports.ts'
import { checkShared } from './prove/architecture/check-shared.ts'
import { checkSpec } from './prove/architecture/check-spec.ts'
import { parseTree, readTree, type Violation } from './prove/architecture/source-tree.ts'

const tree = await readTree(import.meta.dirname)
const sources = parseTree(tree)
const listed = (violations: Violation[]) => violations.map(({ path, line, message }) => `${path}:${line} ${message}`)
const about = (imports: boolean) => checkImports(sources, tree).filter(({ message }) => imports === /no such file|: write #/.test(message))

test('[ARCH1] every import is granted by the table of zones', () => {
  expect(listed(about(false))).toEqual([])
})

test('[ARCH2] every import of our own leads to a file, over top folders by the # name', () => {
  expect(listed(about(true))).toEqual([])
})

test('[ARCH3] no files import each other in a circle', () => {
  expect(listed(checkCycles(sources))).toEqual([])
})

test('[ARCH4] files are short, well named and without needless default exports', () => {
  expect(listed(checkFiles(sources, tree))).toEqual([])
})

test('[ARCH5] rules and tests belong together', () => {
  expect(listed(checkSpec(tree.get('shared/SPEC.md') ?? '', sources))).toEqual([])
})

test('[ARCH6] documents name what is there', () => {
  expect(listed(checkDocs(tree))).toEqual([])
})

test('[ARCH7] nothing is switched off without a reason or left unfinished', () => {
  expect(listed(checkComments(sources, tree))).toEqual([])
})

test('[ARCH8] shared cannot reach a platform', () => {
  expect(listed(checkShared(tree))).toEqual([])
})

test('[ARCH9] the tree that is checked is the working tree, parsed, with its imports', () => {
  for (const path of [
    'architecture.test.ts',
    'package.json',
    'shared/SPEC.md',
    'shared/contract/failure.ts',
    'fleet/dataset/rows.ts',
    'db/store.ts',
  ]) {
    expect(tree.get(path)).toBe(readFileSync(join(import.meta.dirname, path), 'utf8'))
  }
  expect([...tree.keys()].some((path) => path.includes('node_modules'))).toBe(false)
  const rows = sources.find((source) => source.path === 'fleet/dataset/rows.ts')
  expect(rows?.imports.map((one) => one.specifier)).toContain('csv-parse')
})

test('[ARCH10] nothing that belongs to the repository is ignored', (context) => {
  context.skip(!existsSync(join(import.meta.dirname, '.git')), 'not a clone')
  const { stdout, status } = spawnSync('git', ['ls-files', '--cached', '--ignored', '--exclude-standard'], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  })
  expect([status, stdout]).toEqual([0, ''])
})
