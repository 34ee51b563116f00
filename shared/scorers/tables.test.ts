import { expect, test } from 'vitest'
import { noTables, openTables, type Table, TableMissing } from './tables.ts'

test('[SCORE19] a table is parsed once on first use, and one that is not there is named', () => {
  let parses = 0
  const words: Table<string[]> = {
    name: 'stopwords_english',
    parse(files) {
      parses++
      return files.english!.split('\n')
    },
  }
  const tables = openTables({ stopwords_english: { english: 'a\nthe' } })
  expect(tables.get(words)).toEqual(['a', 'the'])
  expect(tables.get(words)).toBe(tables.get(words))
  expect(parses).toBe(1)
  expect(() => noTables.get(words)).toThrow(TableMissing)
  expect(() => noTables.get(words)).toThrow('stopwords_english')
})
