import { readFileSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { plainStyle, trueColour } from '#shared/terminal/cell-style.ts'
import { drawScreen, rowRuns, screenLines } from '#shared/terminal/draw-screen.ts'
import { copyScreen, openScreen, resizeScreen, type Screen } from '#shared/terminal/screen.ts'
import { terminalOutput } from '#shared/terminal/testing/generate-output.ts'
import { writeOutput } from '#shared/terminal/write-output.ts'
import { draws } from '#shared/testing/draws.ts'
import { fillEnds, gridRuns, hasTmux, openTmux, runsOfTmux, type TmuxScreen } from './testing/tmux-screen.ts'

const withoutTmux = !hasTmux()
if (withoutTmux) console.info('skipped: no tmux 3.3a on this machine')

type Golden = { name: string; columns: number; rows: number; output: string; shown: TmuxScreen; filled: TmuxScreen }
const file = new URL('../shared/terminal/testing/golden.jsonl', import.meta.url)
const goldens = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Golden) // written below from what tmux showed

function screenOf(output: string, size = { columns: 40, rows: 12 }): Screen {
  const screen = openScreen(size)
  writeOutput(screen, output)
  return screen
}

const gridOf = (screen: Screen) => screen.grid.map(gridRuns)
const gridOfTmux = ({ rows }: TmuxScreen) => runsOfTmux(rows)
/** Text of the rows alone: of erased cells behind the last character tmux shows nothing. */
const textOf = (rows: ReturnType<typeof gridOf>) =>
  rows.map((row) =>
    row
      .map(({ text }) => text)
      .join('')
      .trimEnd(),
  )
const placeOf = ({ column, row }: Pick<Screen, 'column' | 'row'>, columns: number) => [Math.min(column, columns - 1), row]

/** What ours and tmux's show of the same output. */
function agree({ columns, rows, output, shown, filled }: Omit<Golden, 'name'>): void {
  const size = { columns, rows }
  const screen = screenOf(output, size)
  expect(textOf(gridOf(screen))).toEqual(textOf(gridOfTmux(shown)))
  expect(placeOf(screen, columns)).toEqual(placeOf(shown, columns))
  expect(gridOf(screenOf(output + fillEnds(size), size))).toEqual(gridOfTmux(filled))
}

test.each(goldens.map((golden) => [golden.name, golden] as const))('[SCREEN1] %s looks as in tmux 3.3a, cell by cell', (_name, golden) => {
  agree(golden)
})

const opened = new Map<string, ReturnType<typeof openTmux>>()
afterAll(() => {
  for (const tmux of opened.values()) tmux.close()
})
function show({ columns, rows }: { columns: number; rows: number }, output: string): { shown: TmuxScreen; filled: TmuxScreen } {
  const name = `${columns}x${rows}`
  const tmux = opened.get(name) ?? openTmux(columns, rows)
  opened.set(name, tmux)
  return { shown: tmux.show(output), filled: tmux.show(output + fillEnds({ columns, rows })) }
}

test.skipIf(withoutTmux)('[SCREEN1] the tmux of this machine shows the kept outputs in the same way', () => {
  const now = goldens.map((golden) => ({ ...golden, ...show(golden, golden.output) }))
  if (process.env.GOLDEN_WRITE === '1') writeFileSync(file, now.map((golden) => `${JSON.stringify(golden)}\n`).join(''))
  for (const golden of now) agree(golden)
})

test.skipIf(withoutTmux)('[SCREEN2] whatever is written, a real tmux shows the same', () => {
  const size = { columns: 40, rows: 12 }
  fc.assert(
    fc.property(terminalOutput, (output) => agree({ ...size, output, ...show(size, output) })),
    { seed: 1, ...draws(40) },
  )
})

test('[SCREEN3] output may be cut anywhere, also within a character or a command', () => {
  fc.assert(
    fc.property(terminalOutput, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }), (output, lengths) => {
      const pieces = openScreen({ columns: 40, rows: 12 })
      for (let at = 0, turn = 0; at < output.length; turn++) {
        const length = lengths[turn % lengths.length]!
        writeOutput(pieces, output.slice(at, at + length))
        at += length
      }
      expect(pieces).toEqual(screenOf(output))
    }),
    { numRuns: 300, seed: 1 },
  )
})

test('[SCREEN3] any text is taken: what is no command does nothing, halves of characters stand as one that is unknown', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\u001b', '\u001b[', '\u009b', '\u001b]', '99999999999', ';', 'm', 'L')),
      ),
      (parts) => {
        const screen = screenOf(parts.join(''))
        expect([screen.grid.length, ...screen.grid.map(({ text, style }) => text.length + style.length)]).toEqual([
          12,
          ...Array(12).fill(80),
        ])
        expect([screen.column <= 40, screen.row < 12]).toEqual([true, true])
      },
    ),
    { numRuns: 500, seed: 1 },
  )
  expect(screenLines(screenOf('a\ud800b\udc00c\u001b[1;2;3;4zd\u001b]0;title\u0007e'))[0]).toBe('a\ufffdb\ufffdcde')
})

test('[SCREEN4] a screen keeps no more than its cells: sizes, joined characters and commands have bounds', () => {
  const { columns, rows } = openScreen({ columns: 1e9, rows: Number.NaN })
  expect([columns, rows]).toEqual([500, 1])
  expect(screenOf(`e${'\u0301'.repeat(1000)}`).grid[0]!.text[0]!.length).toBe(12)
  const screen = screenOf(`\u001b[${'1;'.repeat(100_000)}`)
  expect(JSON.stringify(screen.reading).length).toBeLessThan(400)
  writeOutput(screen, 'mx')
  expect(screenLines(screen)[0]).toBe('x')
})

test('[SCREEN5] a copy stands for itself, and another size keeps what fits and where the cursor is', () => {
  const screen = screenOf(Array.from({ length: 12 }, (_, at) => `row ${at}`).join('\r\n'))
  const copy = copyScreen(screen)
  writeOutput(screen, '\u001b[H\u001b[2Jgone')
  expect(screenLines(copy)[0]).toBe('row 0')
  const small = resizeScreen(copy, { columns: 5, rows: 4 })
  expect(screenLines(small)).toEqual(['row 8', 'row 9', 'row 1', 'row 1'])
  writeOutput(small, '!')
  expect(screenLines(resizeScreen(small, { columns: 8, rows: 6 }))).toEqual(['row 8', 'row 9', 'row 1', 'row !', '', ''])
})

test('[SCREEN6] what draws a screen gives the same one again, with colours, cursor and wide characters', () => {
  fc.assert(
    fc.property(terminalOutput, (output) => {
      const screen = screenOf(output)
      const drawn = screenOf(drawScreen(screen))
      expect(drawn.grid.map(rowRuns)).toEqual(screen.grid.map(rowRuns))
      expect(placeOf(drawn, 40)).toEqual(placeOf(screen, 40))
      expect(drawn.modes.cursor).toBe(screen.modes.cursor)
    }),
    { numRuns: 300, seed: 1 },
  )
  expect(drawScreen(screenOf(''))).toBe('\u001b[1;1H')
})

test('[SCREEN6] a row is told as stretches that look alike, half a wide character as a blank', () => {
  const screen = screenOf('\u001b[1;38;2;1;2;3mbold\u001b[m plain 日\u001b[7m')
  writeOutput(screen, '\u001b[D\u001b[X')
  expect(rowRuns(screen.grid[0]!).map(({ text }) => text.trimEnd())).toEqual(['bold', ' plain'])
  expect(rowRuns(screen.grid[0]!)[0]!.style).toEqual({ ...plainStyle, bold: true, foreground: trueColour + 0x010203 })
})
