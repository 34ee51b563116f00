import { expect, test, vi } from 'vitest'
import { createDiskWatch } from './disk-watch.ts'

const gb = 2 ** 30

/** A disk with so much free, and takers that have taken what is set. */
function disk(free_gb: number | null, reserve_gb = 5) {
  const state = { free: free_gb === null ? null : free_gb * gb, counted: 0 }
  const watch = createDiskWatch({ free: async () => state.free, reserve: async () => reserve_gb * gb })
  const told: string[] = []
  const enter = (name: string, most_gb: number) => {
    const taken = { bytes: 0 as number | null }
    const place = watch.enter({
      most_bytes: most_gb * gb,
      size: async () => {
        state.counted++
        return taken.bytes
      },
      onFull: async (why) => void told.push(`${name} ${why}`),
    })
    return { place, taken }
  }
  return { state, watch, told, enter }
}

test('[MACH396] who takes more than it may is told as soon as its disk lost that much, and is counted no sooner', async () => {
  const { state, told, enter, watch } = disk(100)
  const one = enter('one', 2)
  await one.place.settle()
  one.taken.bytes = 1.5 * gb
  state.free = 98.5 * gb
  await one.place.settle()
  expect([told, state.counted]).toEqual([[], 0])
  one.taken.bytes = 20 * gb
  state.free = 80 * gb
  await one.place.settle()
  expect([told, state.counted]).toEqual([['one own'], 1])
  watch.close()
})

test('[MACH396] room that another gives back hides nothing, and a disk that cannot be seen is not judged', async () => {
  const { state, told, enter, watch } = disk(50)
  const one = enter('one', 2)
  await one.place.settle()
  state.free = 90 * gb
  await one.place.settle()
  one.taken.bytes = 3 * gb
  state.free = 87 * gb
  await one.place.settle()
  expect(told).toEqual(['one own'])
  watch.close()
  const unseen = disk(null)
  const other = unseen.enter('other', 2)
  other.taken.bytes = 30 * gb
  await other.place.settle()
  expect(unseen.told).toEqual([])
  await other.place.look()
  expect(unseen.told).toEqual(['other own'])
  unseen.watch.close()
})

test('[MACH396] where nothing but the reserve is left, who took most gives way; one that cannot be counted has taken what the disk lost', async () => {
  vi.useFakeTimers()
  try {
    const { state, told, enter, watch } = disk(20)
    const [small, large] = [enter('small', 50), enter('large', 50)]
    await vi.advanceTimersByTimeAsync(250)
    small.taken.bytes = 4 * gb
    large.taken.bytes = 12 * gb
    state.free = 4 * gb
    await vi.advanceTimersByTimeAsync(250)
    expect(told[0]).toBe('large reserve')
    watch.close()
    const blind = disk(100)
    const build = blind.enter('build', 2)
    await build.place.settle()
    build.taken.bytes = null
    blind.state.free = 97 * gb
    await vi.advanceTimersByTimeAsync(250)
    expect(blind.told[0]).toBe('build own')
    blind.watch.close()
  } finally {
    vi.useRealTimers()
  }
})
