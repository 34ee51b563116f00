import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { buildIfChanged } from '../edge/local/build.ts'
import { root } from './stack.ts'

const scratch = mkdtempSync(join(tmpdir(), 'bench-weight-'))
afterAll(() => rmSync(scratch, { recursive: true }))

test('[UI140] no page loads more than 120 KB of scripts at first, gzipped', { timeout: 240_000 }, async () => {
  await buildIfChanged(root, join(scratch, 'build.log'), () => undefined)
  const { stdout, stderr, status } = spawnSync(process.execPath, [join(root, 'web/measure-bundle.ts')], { encoding: 'utf8' })
  const pages = [...stdout.matchAll(/^ *([\d.]+) KB {2}(\/.*)$/gm)].map(([, kb, page]) => [page, Number(kb)] as const)
  expect([stderr, pages.length]).toEqual(['', expect.toSatisfy((count: number) => count >= 14)])
  expect(pages.filter(([, kb]) => kb > 120)).toEqual([])
  expect(pages.find(([page]) => page === '/runs/[id]/index')![1]).toBeGreaterThan(pages.find(([page]) => page === '/runs/[id]')![1])
  expect(status).toBe(0)
})
