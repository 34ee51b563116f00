import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { boundMemory, childrenNamed, residentMb } from './bound-memory.ts'

const look = async (held: number | null, idle: boolean | Error) => {
  const restarts: number[] = []
  const isIdle = async () => {
    if (idle instanceof Error) throw idle
    return idle
  }
  return [await boundMemory({ most_mb: 100, heldMb: () => held, isIdle, restart: (mb) => void restarts.push(mb) }), restarts]
}

test('[START45] what holds too much is begun anew when no run is open, and at twice as much whatever goes on', async () => {
  expect(await look(null, true)).toEqual(['fits', []])
  expect(await look(100, true)).toEqual(['fits', []])
  expect(await look(101, true)).toEqual(['restarted', [101]])
  expect(await look(101, false)).toEqual(['waits', []])
  expect(await look(101, new Error('no answer'))).toEqual(['waits', []])
  expect(await look(200, false)).toEqual(['waits', []])
  expect(await look(201, false)).toEqual(['restarted', [201]])
})

test.skipIf(process.platform !== 'linux')(
  '[START45] a child is found by its name, and what it holds is told until it has ended',
  async () => {
    const child = spawn('sleep', ['1000'])
    await once(child, 'spawn')
    try {
      expect(childrenNamed(process.pid, 'sleep')).toContain(child.pid)
      expect(childrenNamed(process.pid, 'no such name')).toEqual([])
      expect(residentMb(child.pid!)).toBeGreaterThan(0)
    } finally {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    expect([residentMb(child.pid!), childrenNamed(0, 'sleep')]).toEqual([null, []])
  },
)
