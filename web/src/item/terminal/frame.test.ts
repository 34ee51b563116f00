import { expect, test } from 'vitest'
import { openScreen } from '#shared/terminal/screen.ts'
import { writeOutput } from '#shared/terminal/write-output.ts'
import { frameOf } from './frame.ts'

test('[UI122] a frame has what stands in a row and its colours, the cursor inverted, and keeps rows that did not change', () => {
  const screen = openScreen({ columns: 20, rows: 4 })
  writeOutput(screen, 'plain \u001b[1;31mred\u001b[0m\r\n日本 \u001b[38;5;196mx\u001b[38;2;1;2;3;7my\u001b[m\r\n$ ')
  const first = frameOf(screen, null)
  expect(first.rows.map(({ pieces }) => pieces)).toEqual([
    [
      { text: 'plain ', css: '' },
      { text: 'red', css: 'color:#ff8f87;font-weight:700' },
    ],
    [
      { text: '日本 ', css: '' },
      { text: 'x', css: 'color:#ff0000' },
      { text: 'y', css: 'color:#101418;background:#010203' },
    ],
    [
      { text: '$ ', css: '' },
      { text: ' ', css: 'color:#101418;background:#d6dade' },
    ],
    [],
  ])
  writeOutput(screen, '\u001b[?25l\u001b[2;2H')
  const second = frameOf(screen, first)
  expect(second.rows.map((row, at) => row === first.rows[at])).toEqual([true, true, false, true])
  expect(second.rows[2]!.pieces).toEqual([{ text: '$', css: '' }])
  writeOutput(screen, '\u001b[?25h')
  expect(frameOf(screen, second).rows[1]!.pieces[0]).toEqual({ text: '日', css: 'color:#101418;background:#d6dade' })
})
