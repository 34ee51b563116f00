import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { randomId } from './random-id.ts'

const folder = join(import.meta.dirname, '..')
/** What browsers only give to pages that came by HTTPS or from this machine. */
const secureOnly = /crypto\.(randomUUID|subtle)|navigator\.(clipboard|serviceWorker|locks|storage)/

test('[UI77] no page relies on what browsers keep from plain-HTTP hosts', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: folder }).filter((file) => !/\.test\.ts$|^entry-server/.test(file))
  expect(files).toContain(join('routes', 'runs', 'index.tsx'))
  const found = files.filter((file) => secureOnly.test(readFileSync(join(folder, file), 'utf8')))
  // The one place that asks first and has another way.
  expect(found).toEqual([join('ui', 'copy-text.ts')])
})

test('[UI77] ids are 128 random bits', () => {
  const ids = Array.from({ length: 100 }, randomId)
  expect(new Set(ids).size).toBe(100)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/)
})
