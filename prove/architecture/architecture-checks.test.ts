// biome-ignore-all lint/suspicious/noTemplateCurlyInString: planted code is text here
import { expect, test } from 'vitest'
import { checkComments } from './check-comments.ts'
import { checkCycles } from './check-cycles.ts'
import { checkDocs } from './check-docs.ts'
import { checkFiles } from './check-files.ts'
import { checkImports } from './check-imports.ts'
import { checkShared } from './check-shared.ts'
import { checkSpec } from './check-spec.ts'
import { parseTree, type Tree } from './source-tree.ts'

const treeOf = (files: Record<string, string>): Tree => new Map(Object.entries(files))
const targets = {
  'shared/contract/run.ts': '',
  'shared/run/plan.ts': '',
  'db/store.ts': '',
  'db/migrate.ts': '',
  'db/embedded/postgres.ts': '',
  'edge/app.ts': '',
  'edge/local/host.ts': '',
  'fleet/agent.ts': '',
  'web/src/api.ts': '',
  'web/src/entry-server.tsx': '',
}

function importProblems(path: string, code: string): string[] {
  const tree = treeOf({ ...targets, [path]: code })
  return checkImports(parseTree(tree), tree).map(({ path: at, line, message }) => `${at}:${line} ${message}`)
}

const refused: [string, string][] = [
  ['shared/run/a.ts', "import { x } from '#db/store.ts'"],
  ['shared/run/a.ts', "import type { X } from '#edge/app.ts'"],
  ['shared/contract/a.ts', "import { plan } from '../run/plan.ts'"],
  ['db/a.ts', "import { x } from '#edge/app.ts'"],
  ['db/a.ts', "import { x } from './embedded/postgres.ts'"],
  ['edge/a.ts', "import { x } from '#fleet/agent.ts'"],
  ['edge/a.ts', "import { x } from '#web/api.ts'"],
  ['edge/a.ts', "export * from './local/host.ts'"],
  ['edge/a.ts', "import { x } from '#db/embedded/postgres.ts'"],
  ['edge/index.ts', "import { x } from './local/host.ts'"],
  ['fleet/a.ts', "import type { X } from '#db/store.ts'"],
  ['fleet/a.ts', "const x = await import('#edge/app.ts')"],
  ['fleet/a.ts', "type X = import('#edge/app.ts').X"],
  ['web/src/a.ts', "import type { App } from '#edge/app.ts'"],
  ['web/src/api.ts', "import { app } from '#edge/app.ts'"],
  ['web/src/api.ts', "import { type App, app } from '#edge/app.ts'"],
  ['web/src/a.tsx', "import { x } from '#fleet/agent.ts'\nexport const A = () => <p>a</p>"],
  ['web/src/a.ts', "export { x } from '#db/store.ts'"],
]

test('[ARCH9] an import from a folder that the zone does not know is found, whatever form it has', () => {
  for (const [path, code] of refused) expect(importProblems(path, code), `${path}: ${code}`).toHaveLength(1)
})

test('[ARCH9] a package or a module of Node that the zone is not granted is found', () => {
  const cases: [string, string][] = [
    ['shared/run/a.ts', "import { readFile } from 'node:fs/promises'"],
    ['shared/run/a.ts', "import { x } from 'fflate'"],
    ['shared/contract/a.ts', "import { sha256 } from '@noble/hashes/sha2.js'"],
    ['db/a.ts', "import pg from 'pg'"],
    ['db/a.ts', "import 'node:fs'"],
    ['edge/a.ts', "import { Miniflare } from 'miniflare'"],
    ['edge/a.ts', "import { x } from 'node:child_process'"],
    ['fleet/a.ts', "import { Hono } from 'hono'"],
    ['fleet/a.ts', "import { x } from 'fs'"],
    ['web/src/a.ts', "import { x } from 'react'"],
    ['web/src/a.ts', "import { x } from 'node:fs'"],
  ]
  for (const [path, code] of cases) expect(importProblems(path, code), `${path}: ${code}`).toHaveLength(1)
})

test('[ARCH9] what the design grants is not complained about', () => {
  const granted: [string, string][] = [
    ['shared/export/a.ts', "import { sign } from '@noble/ed25519'\nimport * as z from 'zod'\nimport { x } from '../run/plan.ts'"],
    ['db/embedded/a.ts', "import pg from 'pg'\nimport 'node:fs'\nimport { x } from '#shared/contract/run.ts'"],
    ['db/migrate.ts', "import pg from 'pg'\nimport { x } from './store.ts'"],
    ['edge/index.ts', "import { renderPage } from '#web/entry-server.tsx'\nimport { DurableObject } from 'cloudflare:workers'"],
    ['edge/local/a.ts', "import { Miniflare } from 'miniflare'\nimport { x } from '#db/embedded/postgres.ts'"],
    [
      'fleet/a.ts',
      "import { parquetRead } from 'hyparquet'\nimport { c } from 'hyparquet-compressors'\nimport { parse } from 'csv-parse/sync'",
    ],
    ['web/src/api.ts', "import type { App } from '#edge/app.ts'\nimport { type Other } from '#edge/app.ts'"],
    [
      'web/src/a.tsx',
      "import { For } from 'solid-js'\nimport X from '~icons/lucide/x'\nexport const A = () => <For each={[]}>{() => <X />}</For>",
    ],
    ['fleet/a.test.ts', "import { x } from '#edge/app.ts'\nimport { y } from '#db/embedded/postgres.ts'"],
    ['prove/a.ts', "import { x } from '#edge/app.ts'\nimport { y } from '#fleet/agent.ts'"],
    ['start.mjs', "import { x } from './edge/local/host.ts'"],
  ]
  for (const [path, code] of granted) expect(importProblems(path, code)).toEqual([])
})

test('[ARCH9] an import that leads nowhere or over a top folder by a relative path is found', () => {
  expect(importProblems('fleet/a.ts', "import { x } from './gone.ts'")).toEqual([
    'fleet/a.ts:1 imports ./gone.ts: there is no such file (write the extension)',
  ])
  expect(importProblems('fleet/a.test.ts', "\nimport { x } from './agent'")).toHaveLength(1)
  expect(importProblems('db/a.ts', "import { x } from '../shared/run/plan.ts'")).toEqual([
    'db/a.ts:1 imports ../shared/run/plan.ts: write #shared/…',
  ])
})

test('[ARCH9] a circle of files is found once, but not one over types or lazy imports', () => {
  const circle = (back: string) =>
    checkCycles(
      parseTree(
        treeOf({
          'shared/a.ts': "import { b } from './b.ts'",
          'shared/b.ts': "export * from '#shared/c.ts'",
          'shared/c.ts': back,
        }),
      ),
    )
  expect(circle("import { a } from './a.ts'").map((one) => one.message)).toEqual([
    'circular import: shared/a.ts → shared/b.ts → shared/c.ts → shared/a.ts',
  ])
  expect(circle("import type { A } from './a.ts'")).toEqual([])
  expect(circle("import { type A } from './a.ts'")).toEqual([])
  expect(circle("export const a = () => import('./a.ts')")).toEqual([])
})

test('[ARCH9] long files, empty names and needless default exports are found', () => {
  const problems = (path: string, code: string) => {
    const tree = treeOf({ [path]: code })
    return checkFiles(parseTree(tree), tree).length
  }
  expect(problems('fleet/a.ts', 'a\n'.repeat(300))).toBe(0)
  expect(problems('fleet/a.ts', 'a\n'.repeat(301))).toBe(1)
  for (const name of [
    'utils.ts',
    'helpers.test.ts',
    'common.tsx',
    'misc.mjs',
    'types.ts',
    'constants.ts',
    'ModelClient.ts',
    'model_client.ts',
  ]) {
    expect(problems(`fleet/model/${name}`, ''), name).toBe(1)
  }
  for (const name of ['model-client.ts', 'sandbox.contract.ts', 'e2e.config.ts']) expect(problems(`fleet/model/${name}`, ''), name).toBe(0)
  expect(problems('fleet/a.ts', 'export default 1')).toBe(1)
  expect(problems('fleet/a.ts', 'const x = 1\nexport { x as default }')).toBe(1)
  for (const path of [
    'edge/index.ts',
    'web/src/routes/runs/[id].tsx',
    'vite.config.ts',
    'shared/benchmarks/mmlu_pro/task.ts',
    'start.mjs',
  ]) {
    expect(problems(path, 'export default 1'), path).toBe(0)
  }
})

test('[ARCH9] a rule without a test, a test without a rule and a malformed rule are found', () => {
  const spec = '# Rules\nOne rule a line.\n\n## RUN: life\n\n- **RUN1** A run starts.\n- **RUN2** A run ends (`late`).\n'
  const problems = (text: string, tests: string, name = 'shared/run/a.test.ts') =>
    checkSpec(text, parseTree(treeOf({ [name]: tests }))).map(({ path, line, message }) => `${path}:${line} ${message}`)
  const both = "test('[RUN1] starts', () => {})\ntest.skipIf(absent)('[RUN2] ends', () => {})"
  expect(problems(spec, both)).toEqual([])
  expect(problems(spec, "test.each([1])('[RUN1] [RUN2] starts %s', () => {})")).toEqual([])
  expect(problems(spec, 'for (const one of cases) test(`[RUN1, RUN2] ${one}`, () => {})')).toEqual([])
  expect(
    problems(
      spec,
      "const suite = [{ rule: 'RUN1', check }, { rule: 'RUN2', check }]\nfor (const one of suite) test(`[${one.rule}] x`, () => {})",
    ),
  ).toEqual([])
  expect(problems(spec, "test('[RUN1] starts', () => {})")).toEqual(['shared/SPEC.md:7 RUN2 has no test'])
  expect(problems(spec, `${both}\nit('works', () => {})`)).toEqual([
    'shared/run/a.test.ts:3 the title does not start with the id of a rule: works',
  ])
  expect(problems(spec, `${both}\ntest(name, () => {})`)).toHaveLength(1)
  expect(problems(spec, `${both}\ntest.each(cases)('works %s', () => {})`)).toHaveLength(1)
  expect(problems(spec, `${both}\ntest('[RUN3] pauses', () => {})`)).toEqual(['shared/run/a.test.ts:3 RUN3 is no rule of shared/SPEC.md'])
  expect(problems(`${spec}- **RUN1** Again.\n`, both)).toEqual(['shared/SPEC.md:8 RUN1 is given twice'])
  expect(problems(`${spec}- **run3** Lower case.\n`, both)).toHaveLength(1)
  expect(problems(spec, both, 'shared/run/a.ts')).toHaveLength(2)
})

test('[ARCH9] a document that names a path which is not there is found', () => {
  const problems = (text: string, path = 'README.md') =>
    checkDocs(treeOf({ 'fleet/cli/bench.mjs': '', 'shared/SPEC.md': '', [path]: text })).map((one) => one.message)
  expect(
    problems(
      '`fleet/cli/bench.mjs`, `fleet/cli/`, `bench.mjs`, `fleet/cli/bench.mjs:12`, [spec](shared/SPEC.md) and [web](https://example.org/a.md)',
    ),
  ).toEqual([])
  expect(problems('`dataset/gated`, `acme/set`, `shared/<id>/card.ts`, `npm start`, `results.json`')).toEqual([])
  expect(problems('see `fleet/cli/gone.ts`')).toEqual(['names fleet/cli/gone.ts, which is not there'])
  expect(problems('see `gone.ts`')).toHaveLength(1)
  expect(problems('see [spec](SPEC.md)')).toHaveLength(1)
  expect(problems('see [spec](SPEC.md)', 'shared/README.md')).toEqual([])
})

test('[ARCH9] a switched-off check without a reason and an unfinished note are found', () => {
  const problems = (text: string, path = 'fleet/a.ts') => {
    const tree = treeOf({ [path]: text })
    return checkComments(parseTree(tree), tree).length
  }
  const ignore = '// biome-ignore lint/suspicious/noExplicitAny'
  for (const text of [
    `${ignore}: the library has no types`,
    '// @ts-expect-error the type is wrong upstream',
    "const name = '// TODO'",
    'const page = `\n// @ts-ignore ${name} // FIXME`',
  ])
    expect(problems(text), text).toBe(0)
  for (const text of [
    ignore,
    `${ignore}:`,
    `${ignore}: <explanation>`,
    '// @ts-expect-error',
    '// @ts-ignore because',
    'x() /* @ts-nocheck */',
  ]) {
    expect(problems(text), text).toBe(1)
  }
  for (const word of ['TODO', 'FIXME']) {
    expect(problems(`x() // ${word}: later`)).toBe(1)
    expect(problems(`/**\n * ${word} later\n */`)).toBe(1)
    expect(problems(`${word}: later`, 'README.md')).toBe(1)
  }
})

test('[ARCH9] a platform that creeps into shared is found', () => {
  const options = (lib: string[], types: string[]) => JSON.stringify({ compilerOptions: { lib, types } })
  const pure = options(['es2023', 'esnext.disposable'], [])
  const problems = (config: string, code: string, path = 'shared/run/a.ts') =>
    checkShared(treeOf({ 'shared/tsconfig.json': config, [path]: code })).length
  expect(problems(pure, 'export const a = 1')).toBe(0)
  expect(problems(options(['es2023', 'dom'], []), '')).toBe(1)
  expect(problems(options(['es2023', 'esnext.disposable'], ['node']), '')).toBe(1)
  expect(problems('{}', '')).toBe(1)
  for (const code of ['/// <reference types="node" />', 'declare const process: any', 'declare global { var x: 1 }', 'globalThis.fetch']) {
    expect(problems(pure, code), code).toBe(1)
    expect(problems(pure, code, 'shared/globals.d.ts')).toBe(0)
  }
})
