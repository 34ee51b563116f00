import { ifbenchChecks } from '#shared/scorers/ifbench/ifbench-checks.ts'
import { ifevalChecks } from '#shared/scorers/ifeval/ifeval-checks.ts'
import type { Checks, Kwargs } from '#shared/scorers/instructions/check.ts'
import type { Tables } from '#shared/scorers/tables.ts'
import { recordedReplies, recordedRows } from '../parity/recorded-data.ts'

const size = 100_000
const fill = (part: string): string => part.repeat(Math.ceil(size / part.length)).slice(0, size)

/** Texts of 100 kB on which careless code is slow. */
function hostileTexts(): Record<string, string> {
  const repeated = [
    'a',
    ' ',
    '\n',
    '.',
    '?! ',
    'a. ',
    '"a". ',
    "'",
    '"',
    '(',
    '((()))',
    '*',
    '* a\n',
    '<<',
    '[',
    '```',
    ',',
    '-',
    'A',
    '1. ',
    'U.S. ',
    '😀. ',
    'é',
    '日本',
    '<i>',
  ]
  const numbered = (tail: string): string => {
    let text = ''
    for (let n = 0; text.length < size; n++) text += `${n.toString(36)}${tail}`
    return text.slice(0, size)
  }
  const reply = fill(recordedReplies().slice(0, 80).join('\n\n') || 'An answer of several words, and one more. ')
  return {
    ...Object.fromEntries(repeated.map((part) => [JSON.stringify(part), fill(part)])),
    'numbers as words': numbered(' '),
    'numbers as questions': numbered('?! '),
    'numbers as quotes': numbered('"! '),
    'replies of a model': reply,
    'replies in capitals': reply.toUpperCase(),
  }
}

/** Arguments of the first row that uses each instruction; empty for checks that take none. */
function firstKwargs(name: string): Map<string, Kwargs> {
  const found = new Map<string, Kwargs>()
  for (const row of (recordedRows(name) ?? []) as { instruction_id_list: string[]; kwargs: Kwargs[] }[]) {
    row.instruction_id_list.forEach((id, place) => {
      const known = Object.entries(row.kwargs[place] ?? {}).filter(([, value]) => value !== null)
      if (!found.has(id)) found.set(id, Object.fromEntries(known))
    })
  }
  return found
}

/** The `count` slowest pairs of a check and a text; of three times each the second shortest. */
export function slowestChecks(tables: Tables, count: number): { check: string; text: string; ms: number }[] {
  const texts = Object.entries(hostileTexts())
  const measured: { check: string; text: string; ms: number }[] = []
  for (const [name, checks] of [
    ['ifeval', ifevalChecks],
    ['ifbench', ifbenchChecks],
  ] as const satisfies [string, Checks][]) {
    const kwargs = firstKwargs(name)
    for (const [id, check] of Object.entries(checks)) {
      for (const [label, text] of texts) {
        const times = [1, 2, 3].map(() => {
          const from = performance.now()
          check(text, kwargs.get(id) ?? {}, tables)
          return performance.now() - from
        })
        measured.push({ check: id, text: label, ms: times.sort((a, b) => a - b)[1]! })
      }
    }
  }
  return measured.sort((a, b) => b.ms - a.ms).slice(0, count)
}
