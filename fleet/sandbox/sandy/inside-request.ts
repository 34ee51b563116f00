import { insideProgram } from './inside-program.ts'

/** The ways to do of `insideProgram`. */
export type InsideMode = 'ready' | 'run' | 'take' | 'place'

/** What the program inside said of a request: how it ended, with which number, and its bytes or the file that holds them. */
export type Report = { end: string; code: number; parts: readonly Uint8Array[] | { file: string } }

/** Characters of a request that go on the command line; Linux takes 131,072 for one argument, and the program is among them. */
export const mostOnCommandLine = 90_000

/** The fields of a request as one text: base64 with commas between. */
export function fieldsText(fields: readonly (string | number | Uint8Array)[]): string {
  return fields.map((field) => Buffer.from(field instanceof Uint8Array ? field : String(field)).toString('base64')).join(',')
}

/** The shell command that does one request: its fields as they are, or `@` and the file that has them. */
export function insideCommand(mode: InsideMode, given: string): string {
  return ['exec', ...['perl', '-e', insideProgram, mode, given].map(quoteForShell)].join(' ')
}

/** A word as a POSIX shell reads it back exactly. A NUL has no such form and must not be in it. */
export const quoteForShell = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`

/** What the program inside printed; null where it did not come to that. */
export function readReport(stdout: string): Report | null {
  const [, end, code, text] = /^bench ([a-z-]+) (\d+) (\S*)\s*$/.exec(stdout) ?? []
  if (end === undefined || text === undefined) return null
  return { end, code: Number(code), parts: text.startsWith('@') ? { file: text.slice(1) } : partsOf(text) }
}

/** The bytes that a report's text stands for. */
export const partsOf = (text: string): Uint8Array[] => text.split(',').map((part) => new Uint8Array(Buffer.from(part, 'base64')))
