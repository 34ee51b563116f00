import { charWidth } from './char-width.ts'
import { backspace, joinChar, lineFeed, putChar, tabOn } from './edit-screen.ts'
import { runCommand, runEscape } from './run-command.ts'
import type { Screen } from './screen.ts'

/** Longest parameters of a command; one with longer ones is not carried out. */
const mostParams = 256
/** What G0 or G1 draw for the letters from the back quote on while they draw lines. */
const lineChars = '◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·'

/**
 * Writes a program's output to a screen, as tmux takes it: printable text with wide and joined characters, cursor, erasing, inserting and deleting, regions
 * that scroll, colours, the alternate screen. What is not known, titles and questions to the terminal do nothing. Any text is taken; a command may be
 * split between two.
 */
export function writeOutput(screen: Screen, output: string): void {
  const text = screen.half + output
  screen.half = ''
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0xd800 || code > 0xdfff) {
      take(screen, text[at]!, code)
      continue
    }
    const low = text.charCodeAt(at + 1)
    if (code > 0xdbff) take(screen, '\ufffd', 0xfffd)
    else if (at === text.length - 1) screen.half = text[at]!
    else if (low >= 0xdc00 && low <= 0xdfff) {
      take(screen, text.slice(at, at + 2), 0x10000)
      at++
    } else take(screen, '\ufffd', 0xfffd)
  }
}

function take(screen: Screen, char: string, code: number): void {
  const { reading } = screen
  if (reading.in === 'text' && code >= 0x20) return print(screen, char, code)
  if (reading.in === 'string') return takeOfString(screen, reading, code)
  if (code === 0x1b) screen.reading = { in: 'escape', between: '' }
  else if (code === 0x18 || code === 0x1a) screen.reading = { in: 'text' }
  else if (code < 0x20) control(screen, code)
  else if (code >= 0x7f) return
  else if (reading.in === 'escape') takeOfEscape(screen, reading.between, char)
  else takeOfCommand(screen, char, code)
}

function print(screen: Screen, char: string, code: number): void {
  if (code >= 0x7f && code < 0xa0) return
  const { lines } = screen
  if (code >= 0x60 && code < 0x7f && (lines.shifted ? lines.g1 : lines.g0)) {
    screen.last = lineChars[code - 0x60]!
    return putChar(screen, screen.last, 1)
  }
  const width = code < 0x300 ? 1 : charWidth(char)
  if (width === 0) {
    screen.last = null
    return joinChar(screen, char)
  }
  putChar(screen, char, width)
  screen.last = code < 0x7f ? char : null
}

function control(screen: Screen, code: number): void {
  screen.last = null
  switch (code) {
    case 0x08:
      return backspace(screen)
    case 0x09:
      return tabOn(screen)
    case 0x0a:
    case 0x0b:
    case 0x0c:
      return lineFeed(screen, false)
    case 0x0d:
      screen.column = 0
      return
    case 0x0e:
      screen.lines.shifted = true
      return
    case 0x0f:
      screen.lines.shifted = false
  }
}

/** `ESC` and what begins strings of several kinds: of a window, of the system, to the terminal, of programs. */
const strings: Readonly<Record<string, 'bell' | 'escape' | 'terminator'>> = {
  ']': 'bell',
  P: 'terminator',
  _: 'escape',
  '^': 'escape',
  X: 'escape',
  k: 'escape',
}

function takeOfEscape(screen: Screen, between: string, char: string): void {
  if (char < '0') {
    screen.reading = { in: 'escape', between: between + char }
    if (between.length > 2) screen.reading = { in: 'ignored' }
    return
  }
  const string = between === '' ? strings[char] : undefined
  if (string) screen.reading = { in: 'string', ends: string, escaped: false }
  else if (between === '' && char === '[') screen.reading = { in: 'command', params: '' }
  else {
    screen.reading = { in: 'text' }
    runEscape(screen, between, char)
    screen.last = null
  }
}

function takeOfCommand(screen: Screen, char: string, code: number): void {
  const { reading } = screen
  if (code < 0x40) {
    if (reading.in !== 'command') return
    if (reading.params.length < mostParams) reading.params += char
    else screen.reading = { in: 'ignored' }
    return
  }
  screen.reading = { in: 'text' }
  if (reading.in === 'command') runCommand(screen, reading.params, char)
  screen.last = null
}

/** Strings say nothing about the screen. Those for programs go on until `ESC \`, others end with any ESC, titles of the system with a bell as well. */
function takeOfString(screen: Screen, reading: Extract<Screen['reading'], { in: 'string' }>, code: number): void {
  if (reading.escaped) {
    if (code === 0x5c) screen.reading = { in: 'text' }
    else reading.escaped = false
  } else if (code === 0x1b) {
    if (reading.ends === 'terminator') reading.escaped = true
    else screen.reading = { in: 'escape', between: '' }
  } else if (code === 0x18 || code === 0x1a || (code === 0x07 && reading.ends === 'bell')) screen.reading = { in: 'text' }
}
