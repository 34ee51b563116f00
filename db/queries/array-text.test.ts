import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../embedded/test-database.ts'
import { arrayText } from './array-text.ts'

let database: TestDatabase
let client: pg.Client
beforeAll(async () => {
  database = await openTestDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.close()
})

const readBack = async (values: (string | number | null)[], type: string): Promise<unknown[]> => {
  const { rows } = await client.query(`select value from unnest($1::${type}[]) as t(value)`, [arrayText(values)])
  return rows.map(({ value }) => value)
}

test('[DB9] texts with any signs, numbers and what is missing are read back from the text of an array as they were', async () => {
  const signs = ['', ' ', 'NULL', 'null', '"', '\\', '\\"', '{', '}', '{a,b}', ',', ';', "'", 'a\nb\r\tc', '\\n', 'é 漢 🙂', '\u001f', '$1']
  const chars = '"\\,{} \n\'aN€'
  const mixed = Array.from({ length: 500 }, (_, index) =>
    Array.from({ length: index % 9 }, (_, at) => chars[(index * 7 + at * at * 3) % 12]).join(''),
  )
  const texts = [...signs, null, ...mixed, null]
  expect(await readBack(texts, 'text')).toEqual(texts)
  expect(await readBack([], 'text')).toEqual([])
  const numbers = [0, -1, 2.5, 1e-7, 1.7976931348623157e308, 5e-324, 0.1 + 0.2, null]
  expect(await readBack(numbers, 'float8')).toEqual(numbers)
  expect(await readBack(['2026-11-01T10:00:00.123Z', null], 'timestamptz')).toEqual([new Date('2026-11-01T10:00:00.123Z'), null])
  const lists = [['level_1'], [], ['a"b', 'c,{d}\\', 'NULL', '']]
  const { rows } = await client.query('select value::text[] as list from unnest($1::text[]) as t(value)', [arrayText(lists.map(arrayText))])
  expect(rows.map(({ list }) => list)).toEqual(lists)
})
