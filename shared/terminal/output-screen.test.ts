import { expect, test } from 'vitest'
import { screenLines } from './draw-screen.ts'
import { openOutputScreen } from './output-screen.ts'

test('[SCREEN9] what a program without a terminal writes is shown as on one: its end, whole lines, secrets taken out before', async () => {
  const output = openOutputScreen()
  const clean = (text: string): string => text.replaceAll('secret', '[key]')
  const bytes = new TextEncoder().encode('one\ntwo é\r\nthree se')
  output.write(bytes.subarray(0, 9))
  output.write(bytes.subarray(9))
  output.write('cret')
  expect(screenLines(await output.look(clean)).slice(0, 4)).toEqual(['one', 'two é', 'three [key]', ''])
  for (let line = 0; line < 20_000; line++) output.write(`line ${line} ${'x'.repeat(20)}\n`)
  const shown = screenLines(
    await output.look((text) => {
      expect([text.length < 140_000, /^line \d+ x{20}\n/.test(text)]).toEqual([true, true])
      return text
    }),
  )
  expect(shown.slice(-2)).toEqual([`line 19999 ${'x'.repeat(20)}`, ''])
})
