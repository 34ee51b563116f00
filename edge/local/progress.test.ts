import { afterEach, expect, test, vi } from 'vitest'
import { tellProgress } from './progress.mjs'

afterEach(() => {
  vi.useRealTimers()
})
function play(isTTY: boolean) {
  vi.useFakeTimers()
  const written: string[] = []
  const work = Promise.withResolvers<string>()
  return { written, work, told: tellProgress('building', work.promise, { isTTY, write: (text) => written.push(text) }) }
}

test('[START450] long work tells its seconds: a line every ten where nobody watches, one line that counts on a terminal', async () => {
  const { written, work, told } = play(false)
  await vi.advanceTimersByTimeAsync(25_000)
  expect(written).toEqual(['building (10 s)\n', 'building (20 s)\n'])
  work.resolve('built')
  expect(await told).toBe('built')

  const terminal = play(true)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(terminal.written).toEqual(['\rbuilding (1 s)', '\rbuilding (2 s)'])
  terminal.work.reject(new Error('no disk'))
  await expect(terminal.told).rejects.toThrow('no disk')
  expect(terminal.written.at(-1)).toMatch(/^\r +\r$/)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(terminal.written).toHaveLength(3)
})
