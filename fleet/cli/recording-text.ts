import { readAsciicast } from '#shared/terminal/asciicast.ts'
import { drawRow, screenLines } from '#shared/terminal/draw-screen.ts'
import { openReplay, timelineOf } from '#shared/terminal/replay.ts'
import { duration } from './numbers.ts'
import { clean, cleanLine, paint } from './terminal.ts'

export const noRecording = 'This item has no recording of a terminal.'

/**
 * How a recorded terminal looked at its end: rows of text, with its colours where this terminal shows some. Nothing of what was recorded reaches this terminal but
 * characters and colours.
 */
export function recordingText(name: string, cast: string, colour: boolean): string[] {
  const { header, events, cut, problem } = readAsciicast(cast)
  if (!header) return [`${cleanLine(name)}: ${problem?.text ?? 'it is empty'}`]
  const { marks, length_ms } = timelineOf(events)
  const screen = openReplay(header, events).at(events.length)
  const plain = screenLines(screen)
  const rows = plain.findLastIndex((line) => line !== '') + 1
  const title = `── ${cleanLine(name, 200)}, ${header.columns}×${header.rows}, ${duration(length_ms)} without idle stretches, ${marks.length} marks`
  return [
    paint(title, 'dim', colour),
    ...(colour ? screen.grid.slice(0, rows).map(drawRow) : plain.slice(0, rows).map(clean)),
    ...(cut ? [paint('── the recording goes on behind this', 'dim', colour)] : []),
  ]
}
