import { expect, test, vi } from 'vitest'
import { createCallDeadlines, type Deadline } from './call-deadlines.ts'

/** Deadlines in a time that moves only when the test says so. */
function inOwnTime() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const deadlines = createCallDeadlines()
  const heard: string[] = []
  const watch = (name: string, at_ms: number, due?: (self: Deadline) => void) => {
    const deadline: Deadline = {
      at_ms: performance.now() + at_ms,
      due() {
        heard.push(name)
        if (due) due(deadline)
        else leave()
      },
    }
    const leave = deadlines.add(deadline)
    return { deadline, leave }
  }
  return { deadlines, heard, watch }
}

test('[MODEL15] calls that share a timer are each told at their own moment, and those that have ended never', () => {
  const { deadlines, heard, watch } = inOwnTime()
  watch('late', 300)
  watch('soon', 100)
  watch('ended', 150).leave()
  watch('between', 200)
  vi.advanceTimersByTime(99)
  expect(heard).toEqual([])
  vi.advanceTimersByTime(1)
  expect(heard).toEqual(['soon'])
  vi.advanceTimersByTime(100)
  expect(heard).toEqual(['soon', 'between'])
  vi.advanceTimersByTime(100)
  expect(heard).toEqual(['soon', 'between', 'late'])
  expect(vi.getTimerCount()).toBe(0)
  deadlines.close()
  vi.useRealTimers()
})

test('[MODEL15] a deadline that is moved on is heard again then, and one that comes nearer no later than that', () => {
  const { deadlines, heard, watch } = inOwnTime()
  let moved = false
  watch('moved', 100, (self) => {
    self.at_ms = moved ? Number.POSITIVE_INFINITY : self.at_ms + 100
    moved = true
  })
  const { deadline } = watch('nearer', 1000)
  vi.advanceTimersByTime(100)
  expect(heard).toEqual(['moved'])
  deadline.at_ms -= 850
  deadlines.nearer(deadline)
  vi.advanceTimersByTime(50)
  expect(heard).toEqual(['moved', 'nearer'])
  vi.advanceTimersByTime(50)
  expect(heard).toEqual(['moved', 'nearer', 'moved'])
  deadlines.close()
  vi.useRealTimers()
})
