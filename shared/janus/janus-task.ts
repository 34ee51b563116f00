import type * as z from 'zod'
import { eachRecord, recordsOf } from '../benchmarks/parse-rows.ts'
import { answerFlags } from '../benchmarks/reading-score.ts'
import { everyRow } from '../benchmarks/survey.ts'
import type { Task } from '../benchmarks/task.ts'
import type { ExchangeEvidence } from '../contract/evidence/exchange.ts'
import type { ItemFacts, Score } from '../contract/item.ts'
import { demoAnswer, demoCalls, demoSolution } from './demo-answer.ts'
import { type JanusBenchmark, JanusItem } from './item-schema.ts'
import { hiddenOf, toItem } from './janus-item.ts'
import { versionOf } from './profiles.ts'
import { janusScores } from './score/item-score.ts'
import { solveJanus } from './solve.ts'

/** From this score on an answer counts as right, as the suite's reports count it. */
export const passes = 0.7

/**
 * An exchange's score: the value is the one its benchmark is measured by, `detail` has all five. Right is what reaches 0.7; of the cost benchmark its quality
 * decides, as an efficiency of 0.7 is out of reach for most right answers.
 */
export function scoreJanus(item: ItemFacts, evidence: ExchangeEvidence, profile: string): Score {
  const version = versionOf(profile)
  const { main, flags, judge, ...scores } = janusScores(item, evidence, version)
  const rounds = (value: number | null): string => (value === null ? 'unknown' : value.toFixed(2))
  const decides = item.metadata.benchmark === 'janus_cost' ? scores.quality : main
  const parts = Object.entries(scores).map(([name, value]) => `${name} ${rounds(value)}`)
  return {
    value: main,
    outcome: decides >= passes ? 'right' : 'wrong',
    answer: (evidence.scoring_input ?? evidence.text).slice(0, 300) || null,
    explanation: `${parts.join(', ')}${judge === null ? '' : `, judge ${rounds(judge)}`}. Expected: ${item.target.slice(0, 500)}.`,
    flags: [...flags, ...answerFlags(evidence)],
    detail: { ...scores, ...(judge !== null && { judge }), turns: evidence.turns.length },
  }
}

/** The task of one benchmark of the suite over its own item file. */
export function janusTask(card: Task<'exchange'>['card'] & { name: JanusBenchmark }): Task<'exchange'> {
  const record = JanusItem as z.ZodType<JanusItem>
  return {
    card,
    async survey({ rows }) {
      await eachRecord(recordsOf(rows, 'test', record))
      return everyRow
    },
    open({ rows }) {
      const records = recordsOf(rows, 'test', record)
      return {
        count: records.count,
        item: async (index) => toItem(await records.read(index), index),
        hidden: async (index) => hiddenOf(await records.read(index)),
        solution: async (index) => demoSolution(hiddenOf(await records.read(index))),
      }
    },
    solver: (profile) => solveJanus(profile),
    score: (item, evidence, profile) => scoreJanus(item, evidence, profile),
    demo: demoAnswer,
    demoCalls,
    ...(card.profiles.some(({ roles }) => roles?.judge) && {
      demoVerdict: (_item, right) => JSON.stringify({ score: right ? 1 : 0, reasoning: 'demo' }),
    }),
  }
}
