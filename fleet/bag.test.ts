import { expect, test } from 'vitest'
import { Bag } from './bag.ts'

test('[AGENT63] a bag gives what is in it, takes a thing out once, and keeps its room for the next', () => {
  const bag = new Bag<{ name: string }>()
  const names = () => [...bag.values()].map(({ name }) => name).sort()
  const leave = ['a', 'b', 'c'].map((name) => bag.add({ name }))
  expect([names(), bag.size]).toEqual([['a', 'b', 'c'], 3])
  leave[0]!()
  expect([names(), bag.size]).toEqual([['b', 'c'], 2])
  leave[0]!()
  expect(names()).toEqual(['b', 'c'])
  leave[2]!()
  leave[2]!()
  const again = bag.add({ name: 'd' })
  expect([names(), bag.find(({ name }) => name === 'b')?.name, bag.find(({ name }) => name === 'c')]).toEqual([['b', 'd'], 'b', undefined])
  again()
  leave[1]!()
  expect([names(), bag.size]).toEqual([[], 0])
})
