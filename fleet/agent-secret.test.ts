import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { agentSecret } from './agent-secret.ts'

const dir = mkdtempSync(join(tmpdir(), 'bench-secret-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

test('[AGENT41] an agent keeps one secret per name in its data directory, for its owner only', () => {
  const notes: string[] = []
  const first = agentSecret(dir, 'a', (line) => notes.push(line))
  expect(first).toMatch(/^[\w-]{43}$/)
  expect(agentSecret(dir, 'a', (line) => notes.push(line))).toBe(first)
  expect(agentSecret(dir, 'b', (line) => notes.push(line))).not.toBe(first)
  expect(readFileSync(join(dir, 'agents', 'a.secret'), 'utf8')).toBe(first)
  expect(statSync(join(dir, 'agents', 'a.secret')).mode & 0o077).toBe(0)
  expect(notes).toEqual([])
})

test('[AGENT41] where nothing can be written the agent says what that means and goes on', () => {
  writeFileSync(join(dir, 'file'), '')
  const notes: string[] = []
  expect(agentSecret(join(dir, 'file'), 'a', (line) => notes.push(line))).toMatch(/^[\w-]{43}$/)
  expect(notes).toEqual([expect.stringContaining('--name')])
})
