import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { askConsent } from './ask-consent.ts'
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

const agree = async (sentence: string) => {
  said.push(sentence)
  return true
}

test('[START5] --fresh names what it deletes and keeps downloads and the lock', async () => {
  createDataDir(dir)
  openSecrets(dir, say)
  for (const name of ['cache', 'supervisor.lock', 'postgres']) writeFileSync(join(dir, name), '')
  await clearDataDir(dir, agree)
  expect(readdirSync(dir).sort()).toEqual(['cache', 'supervisor.lock'])
  expect(said).toHaveLength(1)
  for (const name of ['logs', 'postgres', 'secrets.json', 'signs exports']) expect(said[0]).toContain(name)
})

test('[START5] --fresh deletes nothing in a directory that is not ours', async () => {
  writeFileSync(join(dir, 'thesis.tex'), 'years of work')
  await expect(clearDataDir(dir, agree)).rejects.toThrow('not one of our data directories')
  expect(existsSync(join(dir, 'thesis.tex'))).toBe(true)
})

test('[START5] --fresh has nothing to ask in a directory that was never started in', async () => {
  createDataDir(dir)
  await clearDataDir(dir, agree)
  expect(said).toEqual([])
})

const terminalWith = (typed: string, isTTY: boolean) => {
  const output = new PassThrough()
  return { input: Object.assign(Readable.from([typed]), { isTTY }), output }
}

test.each([
  ['y\n', true, true],
  ['YES\r\n', true, true],
  ['\n', true, false],
  ['no\ny\n', true, false],
  ['yesterday\n', true, false],
  ['', true, false],
  ['y\n', false, false],
])('[START31] --fresh deletes only after a yes from a terminal: %j, terminal %s', async (typed, isTTY, deleted) => {
  openSecrets(dir, say)
  const { input, output } = terminalWith(typed, isTTY)
  const cleared = clearDataDir(dir, (sentence) => askConsent(sentence, { input, output }))
  if (deleted) await cleared
  else await expect(cleared).rejects.toThrow('Nothing was deleted. Start with --fresh --yes')
  expect(existsSync(join(dir, 'secrets.json'))).toBe(!deleted)
  expect(String(output.read())).toContain('secrets.json')
})
