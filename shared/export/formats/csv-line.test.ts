import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvLine } from './csv-line.ts'

test('[API30] any text comes back from CSV as it was, but for the apostrophe before a formula', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 2, maxLength: 6 }), (texts) => {
      const [row] = parse(csvLine(texts), { relax_column_count: true }) as string[][]
      expect(row).toEqual(texts.map((text) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)))
    }),
  )
})

test('[API30] zero is written as 0, null as nothing, and numbers are never guarded', () => {
  expect(csvLine([0, null, -1, 0.5, true, false])).toBe('0,,-1,0.5,true,false\r\n')
  expect(csvLine(['=SUM(A1)', '+1', '-1', '@x', '\tx', 'a,b', 'say "hi"', '<b>'])).toBe(
    `'=SUM(A1),'+1,'-1,'@x,'\tx,"a,b","say ""hi""",<b>\r\n`,
  )
})
