import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findMemoryDirectory, limitSocketMemory } from './socket-memory.ts'

const directory = mkdtempSync(join(tmpdir(), 'bench-sockets-'))
afterAll(() => rmSync(directory, { recursive: true }))

test('[SBX74] with control groups of version 1 sockets have a limit beside the memory, and who is beyond half of that memory is seen', async () => {
  const [limit, usage] = ['limit', 'usage'].map((name) => join(directory, `memory.kmem.tcp.${name}_in_bytes`)) as [string, string]
  expect(await limitSocketMemory(directory, 1000)).toBeNull() // and no file is made where a kernel has none
  expect(await limitSocketMemory(directory, 1000)).toBeNull()
  for (const path of [limit, usage]) writeFileSync(path, '9223372036854771712')
  const over = await limitSocketMemory(directory, 1000)
  expect(readFileSync(limit, 'utf8').slice(0, 3)).toBe('250')
  for (const [held, expected] of [
    ['500', false],
    ['501', true],
  ] as const) {
    writeFileSync(usage, held)
    expect([held, await over?.()]).toEqual([held, expected])
  }
})

test('[SBX74] the memory of a process is found where the machine has version 1, and of no process nowhere', async () => {
  const one = readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .some((line) => / - cgroup .*\bmemory\b/.test(line))
  expect((await findMemoryDirectory('self')) !== null).toBe(one)
  expect(await findMemoryDirectory(2 ** 30)).toBeNull()
})
