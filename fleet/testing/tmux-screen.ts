import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { plainStyle } from '#shared/terminal/cell-style.ts'
import { type Run, sameStyle } from '#shared/terminal/draw-screen.ts'
import { openScreen, type Row, type Screen } from '#shared/terminal/screen.ts'
import { writeOutput } from '#shared/terminal/write-output.ts'

/** What tmux shows: its rows with the colours of every cell up to the last one that was written, and the cursor. */
export type TmuxScreen = { rows: string[]; column: number; row: number }

/** Whether there is the tmux whose ways are followed: others differ in corners. */
export function hasTmux(): boolean {
  try {
    return execFileSync('tmux', ['-V'], { encoding: 'utf8' }).trim() === 'tmux 3.3a'
  } catch {
    return false
  }
}

/** A tmux of our own whose one pane is written to byte by byte, and read as it is shown. */
export function openTmux(columns: number, rows: number) {
  const dir = mkdtempSync(join(tmpdir(), 'bench-tmux-'))
  const file = join(dir, 'output')
  const env = { ...process.env, LC_ALL: 'C.UTF-8', TMUX: '' }
  const tmux = (...args: string[]): string =>
    execFileSync('tmux', ['-u', '-S', join(dir, 'socket'), '-f', '/dev/null', ...args], { encoding: 'utf8', env, timeout: 20_000 })
  const size = ['-x', `${columns}`, '-y', `${rows}`]
  tmux('new-session', '-d', ...size, '-s', 's', 'sleep 1000')
  tmux('set-option', '-g', 'status', 'off', ';', 'set-option', '-g', 'remain-on-exit', 'on', ';', 'resize-window', '-t', 's', ...size)
  return {
    show(output: string): TmuxScreen {
      writeFileSync(file, output)
      const script = `stty raw -echo; cat '${file}'; tmux -S '${join(dir, 'socket')}' wait-for -S done; sleep 1000`
      tmux('respawn-pane', '-k', '-t', 's', script)
      tmux('wait-for', 'done')
      const [column, row] = tmux('display-message', '-p', '-t', 's', '#{cursor_x} #{cursor_y}').trim().split(' ').map(Number)
      const shown = tmux('capture-pane', '-p', '-e', '-N', '-t', 's').split('\n').slice(0, rows)
      return { rows: shown, column: column!, row: row! }
    },
    close(): void {
      tmux('kill-server')
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/**
 * What makes every cell but the last column seen: tmux shows a row up to the last cell that something was written to, and erased cells behind it, whose
 * background counts, are not shown.
 */
export function fillEnds({ columns, rows }: Pick<Screen, 'columns' | 'rows'>): string {
  const ends = Array.from({ length: rows }, (_, at) => `\u001b[${at + 1};${columns}Hx`)
  return `\u0018\u001b[r\u001b[?6l\u001b[?7l\u001b[4l\u000f\u001b(B\u001b[m${ends.join('')}`
}

/** The rows of tmux as stretches that look alike. What one row ends with, colours and lines drawn for letters, holds for the next. */
export function runsOfTmux(rows: readonly string[]): Run[][] {
  const read = openScreen({ columns: 400, rows: rows.length })
  writeOutput(read, `\u001b)0${rows.join('\r\n')}`)
  return read.grid.map(gridRuns)
}

/** A row of ours in the same form: cells as they are kept, without plain blanks at the end. */
export function gridRuns({ text, style }: Row): Run[] {
  const runs: Run[] = []
  for (const [at, cell] of text.entries()) {
    const last = runs.at(-1)
    if (cell === '') continue
    if (last && sameStyle(last.style, style[at]!)) last.text += cell
    else runs.push({ text: cell, style: style[at]! })
  }
  const last = runs.at(-1)
  if (!last || !sameStyle(last.style, plainStyle)) return runs
  last.text = last.text.trimEnd()
  return last.text === '' ? runs.slice(0, -1) : runs
}
