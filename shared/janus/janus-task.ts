import type * as z from 'zod'
import { eachRecord, recordsOf } from '../benchmarks/parse-rows.ts'
import { answerFlags } from '../benchmarks/reading-score.ts'
import { everyRow } from '../benchmarks/survey.ts'
import { BadRecord, type Task } from '../benchmarks/task.ts'
import type { ExchangeEvidence } from '../contract/evidence/exchange.ts'
import type { ItemFacts, Score } from '../contract/item.ts'
import { demoAnswer, demoCalls, demoSolution } from './demo-answer.ts'
import { type JanusBenchmark, JanusItem } from './item-schema.ts'
import { hiddenOf, toItem } from './janus-item.ts'
import { suiteOf, versionOf } from './profiles.ts'
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

/** Refuses a row of another benchmark, and of a team's own items one whose id stands in a row before. */
function requireOwn(name: JanusBenchmark, { benchmark, suite, id }: JanusItem, index: number, lines: Map<string, number>): void {
  if (benchmark !== name) throw new BadRecord('test', index, `benchmark: this is an item of ${benchmark}, not of ${name}`)
  if (suite !== 'private/test') return
  const before = lines.get(id)
  if (before !== undefined) throw new BadRecord('test', index, `id: ${id} is also that of line ${before + 1}`)
  lines.set(id, index)
}

/** The task of one benchmark of the suite over its own item file. */
export function janusTask(card: Task<'exchange'>['card'] & { name: JanusBenchmark }): Task<'exchange'> {
  const record = JanusItem as z.ZodType<JanusItem>
  return {
    card,
    async survey({ profile, rows }) {
      const seen: JanusItem[] = []
      const lines = new Map<string, number>()
      await eachRecord(recordsOf(rows, 'test', record), (item, index) => {
        seen.push(item)
        requireOwn(card.name, item, index, lines)
      })
      // Suites are parts of the pinned file: of data of another size, as a team's own, every row is an item.
      const whole = card.name !== 'janus_public' || seen.length !== card.total_items
      if (whole) return everyRow
      const suite = suiteOf(profile.id)
      return { items: seen.flatMap((item, index) => (item.suite === suite ? [index] : [])), named: [] }
    },
    open({ rows, survey }) {
      const records = recordsOf(rows, 'test', record)
      const taken = survey.items
      const read = (index: number) => records.read(taken === null ? index : taken[index]!)
      return {
        count: taken === null ? records.count : taken.length,
        item: async (index) => toItem(await read(index), index),
        hidden: async (index) => hiddenOf(await read(index)),
        solution: async (index) => demoSolution(hiddenOf(await read(index))),
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
