/** A line of a log with its number, from 1. */
export type LogLine = { number: number; text: string }

/** The lines of a log that hold a text, whatever its letters' case; all of them for an empty one. */
export function foundLines(log: string, wanted: string): LogLine[] {
  const lines = log.split('\n').map((text, at) => ({ number: at + 1, text }))
  const low = wanted.trim().toLowerCase()
  return low === '' ? lines : lines.filter(({ text }) => text.toLowerCase().includes(low))
}
