import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { itemProblems } from '#shared/janus/item-problems.ts'
import { type JanusBenchmark, JanusItem } from '#shared/janus/item-schema.ts'
import { UsageError } from './io.ts'

/** Faults that are told, at most. */
const mostFaults = 10

/** A team's own items: the files of each benchmark, by their whole paths. */
export type OwnItems = ReadonlyMap<JanusBenchmark, readonly string[]>

/**
 * Reads a file of own items, or every `.jsonl` of a folder, and looks at each line. A file holds items of one benchmark. Throws `UsageError`, which names the line
 * and the field of what does not fit.
 */
export function readOwnItems(path: string): OwnItems {
  const found = new Map<JanusBenchmark, string[]>()
  const faults: string[] = []
  const seen = new Map<string, string>()
  for (const file of filesIn(path)) {
    let of: JanusBenchmark | undefined
    for (const { at, line } of linesIn(file)) {
      const tell = (text: string) => void faults.push(`${at}: ${text}`)
      const value = parsed(line)
      if (value === undefined) {
        tell('this is no JSON')
        continue
      }
      const problems = itemProblems(value)
      for (const { field, message } of problems) tell(field === '' ? message : `${field}: ${message}`)
      if (problems.length > 0) continue
      const { benchmark, id } = JanusItem.parse(value)
      of ??= benchmark
      if (benchmark !== of) tell(`benchmark: is ${benchmark}, and the file holds items of ${of}: give each a file of its own`)
      const before = seen.get(`${benchmark} ${id}`)
      if (before !== undefined) tell(`id: ${id} is also that of ${before}`)
      seen.set(`${benchmark} ${id}`, at)
    }
    if (of === undefined && faults.length === 0) faults.push(`${file}: there is no item in it`)
    if (of !== undefined) found.set(of, [...(found.get(of) ?? []), resolve(file)])
  }
  if (faults.length === 0) return found
  const more = faults.length > mostFaults ? [`and ${faults.length - mostFaults} more`] : []
  throw new UsageError(
    ['Not every line is an item of the suite (shared/janus/item.schema.json):', ...faults.slice(0, mostFaults), ...more].join('\n'),
  )
}

function filesIn(path: string): string[] {
  try {
    if (!statSync(path).isDirectory()) return [path]
    const names = readdirSync(path).filter((name) => name.endsWith('.jsonl'))
    if (names.length > 0) return names.sort().map((name) => join(path, name))
  } catch {
    throw new UsageError(`There is nothing at ${path}: name a file of items or a folder of them.`)
  }
  throw new UsageError(`There is no .jsonl file in ${path}.`)
}

function linesIn(file: string): { at: string; line: string }[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((line, index) => ({ at: `${file}:${index + 1}`, line }))
    .filter(({ line }) => line.trim() !== '')
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
