import type * as z from 'zod'
import { fixedSentence as simpleRepeat } from '#shared/scorers/ifbench/repeat-rules.ts'
import type { Checks } from '#shared/scorers/instructions/check.ts'
import { verdictsOf } from '#shared/scorers/instructions/score-instructions.ts'
import type { Tables } from '#shared/scorers/tables.ts'
import type { GeneratedAnswer, IfevalRow } from './answers-ifeval.ts'
import type { BenchmarkName } from './official-packages.ts'
import type { ParityAnswer, Verdict } from './parity-answer.ts'
import { fixedSentence, ifevalRows, recordedReplies } from './recorded-data.ts'

/** What a benchmark of ours brings to the comparison. */
export type OurSide = {
  checks: Checks
  kwargs: Readonly<Record<string, z.ZodType>>
  answers(seed: number, count: number): ParityAnswer[]
}

/** Generated answers to whole rows, once for every instruction of their row. */
function byInstruction(rows: readonly IfevalRow[], generate: (rows: readonly IfevalRow[]) => GeneratedAnswer[]): ParityAnswer[] {
  const byKey = new Map(rows.map((row) => [String(row.key), row]))
  return generate(rows).flatMap(({ key, response }) => {
    const row = byKey.get(key)!
    return row.instruction_id_list.map((id, place) => {
      const known = Object.entries(row.kwargs[place] ?? {}).filter(([, value]) => value !== null)
      return { id, kwargs: Object.fromEntries(known), text: response }
    })
  })
}

const sides: Record<BenchmarkName, () => Promise<OurSide>> = {
  ifeval: async () => {
    const { ifevalChecks } = await import('#shared/scorers/ifeval/ifeval-checks.ts')
    const { ifevalKwargs } = await import('#shared/scorers/ifeval/kwargs.ts')
    const { ifevalAnswers } = await import('./answers-ifeval.ts')
    return {
      checks: ifevalChecks,
      kwargs: ifevalKwargs,
      answers: (seed, count) => byInstruction(ifevalRows(), (rows) => ifevalAnswers(rows, count, seed, recordedReplies())),
    }
  },
  ifbench: async () => {
    const { ifbenchChecks } = await import('#shared/scorers/ifbench/ifbench-checks.ts')
    const { ifbenchKwargs } = await import('#shared/scorers/ifbench/kwargs.ts')
    const { ifbenchAnswers } = await import('./answers-ifbench.ts')
    const fixed = fixedSentence(simpleRepeat.length)
    return { checks: ifbenchChecks, kwargs: ifbenchKwargs, answers: (seed, count) => ifbenchAnswers(seed, count, recordedReplies(), fixed) }
  },
}

export const openOurSide = (name: BenchmarkName): Promise<OurSide> => sides[name]()

/** Our verdicts, and how many answers a second they took; kwargs are parsed before, as `open` does. */
export function scoreAll(side: OurSide, answers: readonly ParityAnswer[], tables: Tables): { verdicts: Verdict[]; perSecond: number } {
  const parsed = answers.map(({ id, kwargs }) => side.kwargs[id]!.parse(kwargs) as ParityAnswer['kwargs'])
  const startedMs = performance.now()
  const verdicts = answers.map(
    ({ id, text }, index) => verdictsOf(text, [{ id, kwargs: parsed[index]! }], side.checks, tables)[0]!.verdicts,
  )
  return { verdicts, perSecond: Math.round((answers.length * 1000) / (performance.now() - startedMs)) }
}
