import type { Files } from '../catalogue-task.ts'

const context = 3
type Edit = { mark: ' ' | '-' | '+'; line: string }

/** The unified diff that makes one set of files of another, with three lines of context; empty where they are the same. */
export function writeDiff(before: Files, after: Files): string {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  return paths.map((path) => fileDiff(path, before[path], after[path])).join('')
}

function fileDiff(path: string, before: string | undefined, after: string | undefined): string {
  if (before === after) return ''
  const edits = editsBetween(linesIn(before ?? ''), linesIn(after ?? ''))
  const head = `--- ${before === undefined ? '/dev/null' : `a/${path}`}\n+++ ${after === undefined ? '/dev/null' : `b/${path}`}\n`
  return head + hunksOf(edits)
}

/** Lines with their ends, so that a last line without one is another line. */
const linesIn = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

/** Pairs of lines that are compared at most: 16 MB of memory. A longer middle goes and comes whole, which is as true and no shorter. */
const mostPairs = 4_000_000

/** The fewest edits by the longest common subsequence of what differs in the middle. */
function editsBetween(a: readonly string[], b: readonly string[]): Edit[] {
  let head = 0
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1
  let tail = 0
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1
  const same = (lines: readonly string[]): Edit[] => lines.map((line) => ({ mark: ' ', line }))
  const [goes, comes] = [a.slice(head, a.length - tail), b.slice(head, b.length - tail)]
  const middle = goes.length * comes.length <= mostPairs ? middleEdits(goes, comes) : wholeEdits(goes, comes)
  return [...same(a.slice(0, head)), ...middle, ...same(a.slice(a.length - tail))]
}

function middleEdits(a: readonly string[], b: readonly string[]): Edit[] {
  const width = b.length + 1
  const longest = new Uint32Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      longest[i * width + j] =
        a[i] === b[j] ? longest[(i + 1) * width + j + 1]! + 1 : Math.max(longest[(i + 1) * width + j]!, longest[i * width + j + 1]!)
  const edits: Edit[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      edits.push({ mark: ' ', line: a[i]! })
      i += 1
      j += 1
    } else if (j === b.length || (i < a.length && longest[(i + 1) * width + j]! >= longest[i * width + j + 1]!))
      edits.push({ mark: '-', line: a[i++]! })
    else edits.push({ mark: '+', line: b[j++]! })
  }
  return edits
}

const wholeEdits = (goes: readonly string[], comes: readonly string[]): Edit[] => [
  ...goes.map((line): Edit => ({ mark: '-', line })),
  ...comes.map((line): Edit => ({ mark: '+', line })),
]

function hunksOf(edits: readonly Edit[]): string {
  const changed = edits.flatMap(({ mark }, index) => (mark === ' ' ? [] : [index]))
  const ranges: [number, number][] = []
  for (const at of changed) {
    const last = ranges.at(-1)
    if (last && at - context <= last[1] + context) last[1] = at + 1
    else ranges.push([at, at + 1])
  }
  return ranges.map(([from, to]) => hunkText(edits, Math.max(0, from - context), Math.min(edits.length, to + context))).join('')
}

function hunkText(edits: readonly Edit[], from: number, to: number): string {
  const part = edits.slice(from, to)
  const side = (other: '+' | '-', list: readonly Edit[]): number => list.filter(({ mark }) => mark !== other).length
  const [oldCount, freshCount] = [side('+', part), side('-', part)]
  const [oldBefore, freshBefore] = [side('+', edits.slice(0, from)), side('-', edits.slice(0, from))]
  const range = (count: number, before: number): string => `${count === 0 ? before : before + 1},${count}`
  const lines = part.map(({ mark, line }) => (line.endsWith('\n') ? `${mark}${line}` : `${mark}${line}\n\\ No newline at end of file\n`))
  return `@@ -${range(oldCount, oldBefore)} +${range(freshCount, freshBefore)} @@\n${lines.join('')}`
}
