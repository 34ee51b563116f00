import { expect, test } from 'vitest'
import { pythonRandom } from './python-random.ts'

test('[SCORE1] seed 0 gives the outputs, floats and deviates of CPython', () => {
  expect(pythonRandom(0).getrandbits(32)).toBe(3626764237)
  const floats = pythonRandom(0)
  expect([floats.random(), floats.random(), floats.random()]).toEqual([0.8444218515250481, 0.7579544029403025, 0.420571580830845])
  const normal = pythonRandom(0)
  expect([normal.gauss(0, 1), normal.gauss(0, 1), normal.gauss(0, 1)]).toEqual([
    0.9417154046806644, -1.3965781047011498, -0.6797144480784211,
  ])
})

test('[SCORE1] seed 12345 gives the floats, integers and choices of CPython', () => {
  const floats = pythonRandom(12345)
  expect([floats.random(), floats.random()]).toEqual([0.41661987254534116, 0.010169169457068361])
  const whole = pythonRandom(12345)
  expect(Array.from({ length: 12 }, () => whole.randint(0, 9))).toEqual([6, 0, 4, 5, 3, 4, 9, 6, 2, 5, 1, 6])
  const letters = pythonRandom(12345)
  expect(Array.from({ length: 12 }, () => letters.choice([...'ABCDEFGHIJ'])).join(' ')).toBe('G A E F D E J G C F B G')
})

test('[SCORE1] shuffling and sampling follow CPython', () => {
  const cards = [...'ABCD']
  pythonRandom(42).shuffle(cards)
  expect(cards.join(' ')).toBe('C B D A')
  const sampler = pythonRandom(0)
  expect([sampler.sampleRange(4, 4), sampler.sampleRange(4, 4)]).toEqual([
    [3, 1, 0, 2],
    [3, 1, 2, 0],
  ])
  expect(pythonRandom(7).sampleRange(1000, 3)).toEqual([331, 970, 154])
  expect(pythonRandom(7).sampleRange(100, 12)).toEqual([41, 19, 50, 83, 6, 9, 68, 12, 46, 74, 7, 64])
})

test('[SCORE1] a 64-bit seed is read in 32-bit words, low word first', () => {
  const random = pythonRandom(13388081324546851141n)
  expect([random.getrandbits(32), random.getrandbits(32), random.getrandbits(7)]).toEqual([3061026176, 2788248050, 84])
  expect(pythonRandom(-5n).random()).toBe(pythonRandom(5).random())
})

test('[SCORE1] impossible requests are refused', () => {
  const random = pythonRandom(1)
  expect(() => random.below(0)).toThrow(RangeError)
  expect(() => random.getrandbits(33)).toThrow(RangeError)
  expect(() => random.sampleRange(3, 4)).toThrow(RangeError)
})
