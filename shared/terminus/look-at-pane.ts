import { screenLines } from '../terminal/draw-screen.ts'
import { openScreen, type Screen } from '../terminal/screen.ts'
import { writeOutput } from '../terminal/write-output.ts'
import type { Shell } from './machine-shell.ts'

/** Rows above the screen that are looked at for the beginning of a secret whose end is still shown. */
const above = 5

/**
 * What a pane of tmux shows, as a screen of our own: rows, colours, cursor. A secret in it is taken out together with the colours. Null where tmux does not
 * answer; nothing of the session changes.
 */
export async function lookAtPane(
  shell: Shell,
  session: string,
  { width, height }: { width: number; height: number },
  clean: (text: string) => string,
): Promise<Screen | null> {
  const cursor = ['display-message', '-p', '-t', session, '#{cursor_x} #{cursor_y} #{cursor_flag} #{history_size}'] as const
  const rows = ['capture-pane', '-p', '-e', '-S', `-${above}`, '-t', session] as const
  const shown = await shell({ argv: ['tmux', ...cursor, ';', ...rows], timeout_ms: 5000 })
  if (!shown.ok || shown.value.exit_code !== 0) return null
  const [place = '', ...lines] = shown.value.text.split('\n')
  const [column, row, visible, history] = place.split(' ').map(Number)
  if (column === undefined || row === undefined || history === undefined) return null
  // The alternate screen has no rows above it, whatever the history.
  const before = Math.max(0, Math.min(above, history, lines.length - 1 - height))
  const all = openScreen({ columns: width, rows: before + height })
  writeOutput(all, `\u001b)0${lines.slice(0, before + height).join('\r\n')}`)
  const text = textOf(all)
  const cleaned = clean(text)
  const screen = openScreen({ columns: width, rows: height })
  if (cleaned !== text) writeOutput(screen, cleaned.split('\n').slice(-height).join('\r\n'))
  else {
    screen.grid = all.grid.slice(before)
    writeOutput(screen, `\u001b[${row + 1};${column + 1}H${visible === 0 ? '\u001b[?25l' : ''}`)
  }
  return screen
}

/** The rows as lines; one that is full goes on in the next. */
function textOf(screen: Screen): string {
  const lines = screenLines(screen)
  return lines
    .map((line, at) => (screen.grid[at]!.text.at(-1) === ' ' ? `${line}\n` : line))
    .join('')
    .replace(/\n$/, '')
}
