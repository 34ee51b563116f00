import { openScreen, type Screen } from './screen.ts'
import { writeOutput } from './write-output.ts'

/** The screen that programs without a terminal of their own are shown on. */
export const outputSize = { columns: 120, rows: 32 }
/** How much of what was written is kept to be shown, in UTF-16 units. */
const mostKept = 65_536

/** What a program without a terminal writes, as a terminal would show it: the end of it, a line feed going to the beginning of the next row. */
export function openOutputScreen() {
  const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })
  let text = ''
  return {
    write(part: Uint8Array | string): void {
      text += typeof part === 'string' ? part : decoder.decode(part, { stream: true })
      if (text.length > 2 * mostKept) text = fromLine(text.slice(-mostKept))
    },
    look: async (clean: (text: string) => string): Promise<Screen> => {
      const screen = openScreen(outputSize)
      writeOutput(screen, terminalLines(clean(fromLine(text.slice(-mostKept), text.length > mostKept))))
      return screen
    },
  }
}

/** Output as it reaches a terminal: line feeds as its driver gives them. */
export const terminalLines = (text: string): string => text.replace(/\r?\n/g, '\r\n')

/** The text from its first whole line on: what was cut off could be the half of anything. */
const fromLine = (text: string, cut = true): string => (cut ? text.slice(text.indexOf('\n') + 1) : text)
