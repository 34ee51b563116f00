import type { RunUp } from '#shared/contract/frame.ts'
import type { PackedRecord } from '#shared/contract/packed.ts'

export type ReportFrame = Extract<RunUp, { type: 'report' }>

/** A report with the JSON text of each of its records, where they are at hand. */
export type WrittenReport = ReportFrame & { texts?: readonly string[] }

const beginning = '{"type":"report"'

/**
 * A report as agents write it: the frame's beginning, its records and its end, a line each. Every record is parsed from its own line, so that its text
 * is known to be its own and need not be made again. Undefined for what is written in another way, which is to be parsed as a whole.
 * @throws SyntaxError where a line is no JSON
 */
export function readReportLines(text: string): { said: unknown; lines: string[] } | undefined {
  if (!text.startsWith(beginning)) return undefined
  const lines = text.split('\n')
  if (lines.length < 3) return undefined
  const [first, last] = [lines.shift()!, lines.pop()!]
  for (let at = 0; at < lines.length - 1; at++) {
    if (!lines[at]!.endsWith(',')) return undefined
    lines[at] = lines[at]!.slice(0, -1)
  }
  const head = JSON.parse(first + last)
  if (!Array.isArray(head.results) || head.results.length > 0) return undefined
  return { said: { ...head, results: lines.map((line) => JSON.parse(line)) }, lines }
}

/** What cannot be stored is told by how `JSON.stringify` escapes it, and another writer may escape it in other letters: such a text is written anew. */
export const textOfRecord = (line: string, record: PackedRecord): string => (line.includes('\\u') ? JSON.stringify(record) : line)
