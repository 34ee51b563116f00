import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvLine } from './csv-line.ts'

test('[API30] any text comes back from CSV as it was, but for the apostrophe before a formula', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 2, maxLength: 6 }), (texts) => {
      const [row] = parse(csvLine(texts), { relax_column_count: true }) as string[][]
      expect(row).toEqual(
        texts.map((text) => (csvLine([text]).replace(/^"/, '').startsWith("'") && !text.startsWith("'") ? `'${text}` : text)),
      )
    }),
  )
})

test('[API30] zero is written as 0, null as nothing, and numbers are never guarded', () => {
  expect(csvLine([0, null, -1, 0.5, true, false])).toBe('0,,-1,0.5,true,false\r\n')
  expect(csvLine(['=SUM(A1)', '+1', '-1', '@x', '\tx', 'a,b', 'say "hi"', '<b>'])).toBe(
    `'=SUM(A1),'+1,'-1,'@x,'\tx,"a,b","say ""hi""",<b>\r\n`,
  )
})

test('[API410] a formula is guarded behind white space and signs without width, and with signs of full width', () => {
  for (const text of ['\u200b=1', ' =1', '＝1', '\ufeff=1', '\u00a0+1', '\u2060\u200d@x', '\u3000-1', '\n=1', '\u00ad＋1', '﹢1', '−1'])
    expect([text, csvLine([text]).replace(/^"/, '')[0]]).toEqual([text, "'"])
  expect(csvLine([' a=1', '\u200bx', '1=1'])).toBe(' a=1,\u200bx,1=1\r\n')
})
