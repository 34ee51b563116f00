import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addNames, isChosen, namesInFile, toggleItem } from './item-names.ts'

const item = (id: number, key: string | null = null, group: string | null = null) => ({ item_id: String(id), key, group })

test('[ITEMS11] a tick adds an item and takes it back; ids that follow each other are a range, and other names stay', () => {
  const three = [4, 2, 3].reduce((names, id) => toggleItem(names, item(id)), ['group:math'])
  expect(three).toEqual(['id:2-4', 'group:math'])
  expect(toggleItem(three, item(3))).toEqual(['id:2', 'id:4', 'group:math'])
})

test('[ITEMS11] whatever is ticked, exactly that is chosen', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20)), (ticks) => {
      const names = ticks.reduce<string[]>((so, id) => toggleItem(so, item(id)), [])
      const odd = new Set(ticks.filter((id) => ticks.filter((one) => one === id).length % 2 === 1))
      for (let id = 0; id <= 20; id++) expect(isChosen(names, item(id)) === 'by id').toBe(odd.has(id))
    }),
  )
})

test('[ITEMS11] an item that its group or its key chooses is shown as chosen, and its tick cannot take it back', () => {
  expect(isChosen(['group:law'], item(1, 'a', 'law'))).toBe('by name')
  expect(isChosen(['key:a'], item(1, 'a'))).toBe('by name')
  expect(isChosen(['a'], item(1, 'a'))).toBe('by name')
  expect(isChosen(['group:law'], item(1, 'a', 'lawn'))).toBe('no')
  expect(addNames(['a'], ['b', 'a'])).toEqual(['a', 'b'])
  expect(namesInFile('\uFEFFa\r\n# b\n\n  c ')).toEqual(['a', 'c'])
})
