import type { OfficialVerdict, ParityAnswer, Verdict } from './parity-answer.ts'

export type Disagreement = ParityAnswer & { ours: Verdict; official: OfficialVerdict }

/** How both sides agreed on one check. `deviation` says in which way the official side is known not to follow upstream. */
export type CheckTally = {
  id: string
  answers: number
  followed: number
  raised: number
  disagreements: number
  examples: Disagreement[]
  deviation: string | null
}

/** One tally per check, in the order of ids; up to three examples each. A check that raised upstream follows nothing. */
export function compareVerdicts(
  answers: readonly ParityAnswer[],
  ours: readonly Verdict[],
  official: readonly OfficialVerdict[],
  deviations: Readonly<Record<string, string>> = {},
): CheckTally[] {
  const tallies = new Map<string, CheckTally>()
  answers.forEach((answer, index) => {
    const [mine, theirs] = [ours[index]!, official[index]!]
    const { id } = answer
    const tally = tallies.get(id) ?? {
      id,
      answers: 0,
      followed: 0,
      raised: 0,
      disagreements: 0,
      examples: [],
      deviation: deviations[id] ?? null,
    }
    tallies.set(id, tally)
    tally.answers += 1
    if (theirs.strict) tally.followed += 1
    if (theirs.raised) tally.raised += 1
    if (mine.strict === theirs.strict && mine.loose === theirs.loose) return
    tally.disagreements += 1
    if (tally.examples.length < 3) tally.examples.push({ ...answer, ours: mine, official: theirs })
  })
  return [...tallies.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** Disagreements of the checks that are to agree. */
export function disagreementsOf(tallies: readonly CheckTally[]): number {
  return tallies.reduce((sum, tally) => sum + (tally.deviation === null ? tally.disagreements : 0), 0)
}

/** The table that is printed, one line per check. */
export function tallyTable(tallies: readonly CheckTally[]): string {
  const rows = tallies.map((tally) => [
    tally.id,
    String(tally.answers),
    String(tally.followed),
    String(tally.raised),
    String(tally.disagreements),
    tally.deviation === null ? '' : `not compared: the copy ${tally.deviation}`,
  ])
  const all = [['check', 'answers', 'followed', 'raised', 'disagree', ''], ...rows]
  const widths = all[0]!.map((_, column) => Math.max(...all.map((row) => row[column]!.length)))
  const pad = (cell: string, column: number) =>
    column === 0 || column === 5 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)
  return all.map((row) => row.map(pad).join('  ').trimEnd()).join('\n')
}
