import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { oldestNode } from './package/bundle.ts'
import { codeVersion, programVersion } from './program.ts'

const { isOlder } = (await import(new URL('../install.mjs', import.meta.url).href)) as { isOlder(version: string, other: string): boolean } // plain JavaScript
const root = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

test('[CLI118] the code names itself by its package and, in a repository, its commit', () => {
  expect(codeVersion()).toMatch(/^\d+\.\d+\.\d+(?:\+[0-9a-f]{8}(?:\.changed)?)?$/)
  expect(codeVersion().split('+')[0]).toBe(programVersion())
})

test('[CLI87] one Node is the oldest everywhere: the checkout, its lockfile, the package, the start and what they say', () => {
  const oldest = oldestNode.replace(/\.0$/, '')
  expect(JSON.parse(read('package.json')).engines.node).toBe(`>=${oldest}`)
  expect(JSON.parse(read('package-lock.json')).packages[''].engines.node).toBe(`>=${oldest}`)
  expect(read('install.mjs')).toContain(`const oldest = '${oldest}'`)
  for (const page of ['README.md', 'CONTRIBUTING.md', 'DEPLOY.md', 'fleet/package/README.md'])
    for (const [, named] of read(page).matchAll(/Node (\d+(?:\.\d+)*) or later|Node from (\d+(?:\.\d+)*) on/g))
      expect([page, named ?? oldest]).toEqual([page, oldest])
  const older = ['18.20.4', '20.0.0', '20.11.1'].map((version) => isOlder(version, oldest))
  const newer = ['20.12.0', '20.12.2', '20.19.0', '22.0.0', '26.10.0'].map((version) => isOlder(version, oldest))
  expect([older, newer]).toEqual([Array(3).fill(true), Array(5).fill(false)])
})
