import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { clearDataDir, createDataDir, openSecrets } from './data-dir.ts'

let dir: string
let said: string[]
const say = (line: string) => {
  said.push(line)
}
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'bench-data-'))
  said = []
})
afterEach(() => rmSync(dir, { recursive: true }))

test('[START3] secrets are made once, readable by their owner only', () => {
  const first = openSecrets(dir, say)
  expect(Buffer.from(first.master_key, 'base64')).toHaveLength(32)
  expect(Buffer.from(first.signing_seed, 'base64')).toHaveLength(32)
  expect(openSecrets(dir, say)).toEqual(first)
  if (process.platform !== 'win32') expect(statSync(join(dir, 'secrets.json')).mode & 0o777).toBe(0o600)
})

test.each([
  ['{"layout":', 'cannot be read'],
  ['{"layout":1,"agent_token":"0123456789abcdef"}', 'lacks master_key'],
  ['{"layout":2}', 'newer version'],
])('[START4] secrets that do not fit are refused with what to do, and kept: %s', (text, sentence) => {
  const path = join(dir, 'secrets.json')
  writeFileSync(path, text)
  expect(() => openSecrets(dir, say)).toThrow(sentence)
  expect(readFileSync(path, 'utf8')).toBe(text)
})

test('[START5] --fresh names what it deletes and keeps downloads and the lock', () => {
  createDataDir(dir)
  openSecrets(dir, say)
  for (const name of ['cache', 'supervisor.lock', 'postgres']) writeFileSync(join(dir, name), '')
  clearDataDir(dir, say)
  expect(readdirSync(dir).sort()).toEqual(['cache', 'supervisor.lock'])
  expect(said).toHaveLength(1)
  for (const name of ['logs', 'postgres', 'secrets.json']) expect(said[0]).toContain(name)
})

test('[START5] --fresh deletes nothing in a directory that is not ours', () => {
  writeFileSync(join(dir, 'thesis.tex'), 'years of work')
  expect(() => clearDataDir(dir, say)).toThrow('not one of our data directories')
  expect(existsSync(join(dir, 'thesis.tex'))).toBe(true)
})
