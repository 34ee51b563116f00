import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isBuilt, sourceDigest } from './build.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bench-build-'))
  for (const dir of ['web/src', 'edge/local', 'shared/benchmarks/x', 'dist/server']) mkdirSync(join(root, dir), { recursive: true })
  writeFileSync(join(root, 'web/src/app.tsx'), 'one')
  writeFileSync(join(root, 'dist/server/wrangler.json'), '{}')
  writeFileSync(join(root, 'dist/.stamp'), sourceDigest(root))
})
afterEach(() => rmSync(root, { recursive: true }))

test('[START14] what was built from the present sources is not built again', () => {
  expect(isBuilt(root)).toBe(true)
  for (const file of ['edge/local/host.ts', 'web/src/app.test.tsx', 'shared/benchmarks/x/golden.jsonl', 'edge/README.md'])
    writeFileSync(join(root, file), 'x')
  expect(isBuilt(root)).toBe(true)
})

test.each(['web/src/app.tsx', 'web/src/new.ts', 'shared/benchmarks/x/card.ts', 'package-lock.json', 'vite.config.ts'])(
  '[START14] a change of %s asks for a build',
  (file) => {
    writeFileSync(join(root, file), 'two')
    expect(isBuilt(root)).toBe(false)
  },
)

test('[START14] a build that did not finish is none', () => {
  rmSync(join(root, 'dist/.stamp'))
  expect(isBuilt(root)).toBe(false)
})
