import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { takeLock } from './lock.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'bench-lock-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

test('[START1] the second supervisor of a directory learns the pid of the first', async () => {
  const other = spawn(process.execPath, [
    '--input-type=module',
    '-e',
    `const { takeLock } = await import(${JSON.stringify(join(import.meta.dirname, 'lock.ts'))})
     console.log(takeLock(${JSON.stringify(dir)}).held); setInterval(() => {}, 1000)`,
  ])
  const [said] = await once(other.stdout, 'data')
  expect(String(said).trim()).toBe('true')
  expect(takeLock(dir)).toEqual({ held: false, pid: other.pid })
  other.kill('SIGKILL')
  await once(other, 'exit')
  const lock = takeLock(dir)
  expect(lock.held).toBe(true)
})

test('[START1] a released lock leaves nothing behind and can be taken again', () => {
  const lock = takeLock(dir)
  expect(lock.held && readdirSync(dir)).toEqual(['supervisor.lock'])
  if (lock.held) lock.release()
  expect(readdirSync(dir)).toEqual([])
  expect(takeLock(dir).held).toBe(true)
})

test('[START2] the lock of a dead process is taken over', () => {
  const dead = spawnSync(process.execPath, ['-e', '']).pid
  writeFileSync(join(dir, 'supervisor.lock'), JSON.stringify({ pid: dead, started: '1' }))
  expect(takeLock(dir).held).toBe(true)
})

test.skipIf(process.platform !== 'linux')('[START2] a later process with the same number does not hold the lock', () => {
  writeFileSync(join(dir, 'supervisor.lock'), JSON.stringify({ pid: process.ppid, started: '1' }))
  expect(takeLock(dir).held).toBe(true)
})

test('[START2] a lock file that does not read is taken over', () => {
  writeFileSync(join(dir, 'supervisor.lock'), '{"pid":')
  expect(takeLock(dir).held).toBe(true)
})
