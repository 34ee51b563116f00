import * as fc from 'fast-check'
import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { type Column, clean, cleanLine, indented, paint, table } from './terminal.ts'

const esc = '\u001b'

test.each([
  ['colour', `${esc}[31mred${esc}[0m`, 'red'],
  ['true colour with colons', `${esc}[38:2::255:0:0mred`, 'red'],
  ['cursor moves', `a${esc}[2Jb${esc}[1;1Hc`, 'abc'],
  ['window title, ended by BEL', `a${esc}]0;owned\u0007b`, 'ab'],
  ['link, ended by ST', `${esc}]8;;javascript:alert(1)${esc}\\here${esc}]8;;${esc}\\`, 'here'],
  ['clipboard', `a${esc}]52;c;cm0gLXJm${esc}\\b`, 'ab'],
  ['device control', `a${esc}P1$r0m${esc}\\b`, 'ab'],
  ['8-bit CSI', 'a\u009b31mb', 'ab'],
  ['8-bit OSC', 'a\u009d0;owned\u009cb', 'ab'],
  ['unterminated title', `a${esc}]0;owned`, 'a'],
  ['unterminated sequence', `a${esc}[`, 'a'],
  ['charset switch', `a${esc}(0b`, 'ab'],
  ['reset', `a${esc}cb`, 'ab'],
  ['overwriting', 'visible\rhidden', 'visiblehidden'],
  ['backspaces', 'ab\b\bcd', 'abcd'],
  ['bidirectional override', 'a\u202eb\u2066c', 'abc'],
  ['line feeds and tabs stay', 'a\n\tb', 'a\n\tb'],
])('[CLI1] text from outside cannot steer the terminal: %s', (_, text, safe) => {
  expect(clean(text)).toBe(safe)
})

test('[CLI1] no text keeps a control character after cleaning', () => {
  const nasty = fc
    .array(fc.constantFrom(esc, '[', ']', 'P', '\u009b', '\u009d', '\u0007', '\\', '0', ';', 'm', 'x', '\r', '\n', '\u202e'))
    .map((parts) => parts.join(''))
  void fc.assert(
    fc.property(fc.oneof(nasty, fc.string({ unit: 'binary' })), (text) => {
      expect(clean(text)).toMatch(/^[^\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]*$/)
      expect(cleanLine(text)).not.toMatch(/[\n\t]/)
    }),
  )
})

test('[CLI1] a million sequences are cleaned in linear time', () => {
  expect(clean(`${esc}[31m`.repeat(1_000_000))).toBe('')
  expect(clean(`${esc}]`.repeat(200_000))).toBe('')
})

test('[CLI2] colours are written only where they are wanted', () => {
  expect(paint('x', 'red', true)).toBe(`${esc}[31mx${esc}[0m`)
  expect(paint('x', 'red', false)).toBe('x')
})

test('[CLI3] columns line up, numbers to the right', () => {
  expect(
    table(
      [{ title: 'name' }, { title: 'n', right: true }],
      [
        ['a', '10'],
        ['long name', '7'],
      ],
      null,
    ),
  ).toEqual(['name        n', 'a          10', 'long name   7'])
})

const runs: Column[] = [{ title: 'run', whole: true }, { title: 'model' }, { title: 'benchmarks' }, { title: 'score', right: true }]
const rows = [
  ['0199c0de-1111-7000-8000-000000000001', 'lab/a-model-with-a-long-name', 'mmlu_pro, gpqa_diamond, ifeval', '72.4 % exact'],
  ['0199c0de-1111-7000-8000-000000000002', '通义千问/模型', 'hle', '–'],
]

test.each([200, 120, 80, 60, 40])('[CLI84] a table is never wider than a terminal of %i columns, and loses nothing', (width) => {
  const lines = table(runs, rows, width)
  for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(width)
  for (const [id = '', , , score = ''] of rows) for (const part of [id, score]) expect(lines.some((line) => line.includes(part))).toBe(true)
  const letters = (text: string) => [...text.replace(/\s/g, '')].sort().join('')
  const shown = letters(lines.join(''))
  for (const cell of rows.flat()) for (const one of letters(cell)) expect(shown).toContain(one)
  if (width > 60) expect(lines.join('').replaceAll(' ', '')).toContain('通义千问/模型')
})

test('[CLI84] a text that stands some columns in keeps to the terminal, and says all of it', () => {
  const text = 'Whoever runs the agents: look at the disk of the host, and start the run again.'
  for (const width of [200, 60, 40, 5]) {
    const lines = indented(text, 8, width)
    expect(lines.every((line) => line.startsWith(' '.repeat(8)) && stringWidth(line) <= Math.max(width, 18))).toBe(true)
    expect(lines.map((line) => line.trim()).join(' ')).toBe(text)
  }
  expect(indented(text, 2, null)).toEqual([`  ${text}`])
})

test('[CLI84] columns line up by the cells that characters take on the screen', () => {
  expect(
    table(
      [{ title: 'm' }, { title: 'n' }],
      [
        ['千问', '1'],
        ['ab', '2'],
      ],
      null,
    ),
  ).toEqual(['m     n', '千问  1', 'ab    2'])
})
