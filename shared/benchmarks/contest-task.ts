import type * as z from 'zod'
import type { Card } from '../contract/card.ts'
import type { Item } from '../contract/item.ts'
import { strip } from '../python/text.ts'
import { boxedInteger, type IntegerAnswer, matharenaInteger } from '../scorers/boxed-integer.ts'
import { generate } from '../solvers/generate.ts'
import { lastChance } from '../solvers/last-chance.ts'
import { itemHash } from './item-hash.ts'
import { eachRecord, recordsOf, textOf } from './parse-rows.ts'
import { type Reading, readingScore, scoredText } from './reading-score.ts'
import { everyRow } from './survey.ts'
import type { Task, TaskContext } from './task.ts'

/** A contest problem, whichever data set it comes from; `answer` is an integer in plain decimal form. */
export type ContestProblem = {
  source_id: string
  problem: string
  answer: string
  group: string
  metadata: Record<string, string | string[]>
}

type Prompt = { ask: (problem: string) => string; followUp: string | null }

/** Python's `str.format` for a template whose only field is `name`; doubled braces become single ones. */
function format(template: string, name: string, value: string): string {
  return template.replace(/\{\{|\}\}|\{[a-z]+\}/g, (found) =>
    found === '{{' ? '{' : found === '}}' ? '}' : found === `{${name}}` ? value : found,
  )
}

const ownInstruction =
  'Solve the problem below. Its solution is a whole number between 0 and 999, the limits included; state it at the very end inside \\boxed{}.'
const ownFollowUp =
  'There is no box in your last message. Please do not work on the problem again; only repeat the result you had found, inside \\boxed{}.'

function promptOf({ profile, texts }: TaskContext): Prompt {
  if (profile.id === 'official') {
    const template = `${textOf(texts, 'instruction')}\n\n{problem}`
    const followUp = textOf(texts, 'follow_up').split('\n').map(strip).join('\n')
    return { ask: (problem) => format(template, 'problem', problem), followUp }
  }
  if (profile.id === 'aa') {
    const template = strip(textOf(texts, 'template'))
    return { ask: (problem) => format(template, 'question', problem), followUp: null }
  }
  return { ask: (problem) => `${ownInstruction}\n\n${problem}`, followUp: ownFollowUp }
}

function toItem(problem: ContestProblem, index: number, prompt: Prompt): Item {
  const messages = [{ role: 'user' as const, content: prompt.ask(problem.problem) }]
  return {
    item_id: String(index),
    source_id: problem.source_id,
    item_hash: itemHash(messages),
    group: problem.group,
    messages,
    target: problem.answer,
    metadata: { problem: problem.problem, ...problem.metadata, ...(prompt.followUp === null ? {} : { follow_up: prompt.followUp }) },
  }
}

const readings: Record<IntegerAnswer['from'], Omit<Reading, 'answer'>> = {
  box: { how: 'last box', flags: [] },
  'last-integer': { how: 'no box, last integer of the text', flags: ['no_box'] },
  'unparsed-box': { how: 'the last box holds no integer', flags: ['unparsed_box'] },
  'unread-box': { how: 'the last box cannot be read, last integer of the text', flags: ['unparsed_box'] },
  nothing: { how: 'neither a box nor an integer', flags: ['no_box'] },
}

/** The task of a contest with integer answers (reference 4); `record` is a row of one data set, `key` the column that names a problem. */
export function contestTask(card: Card & { evidence: 'completion' }, record: z.ZodType<ContestProblem>, key: string): Task<'completion'> {
  return {
    card,
    key,
    async survey({ rows }) {
      await eachRecord(recordsOf(rows, 'test', record))
      return everyRow
    },
    open(context) {
      const records = recordsOf(context.rows, 'test', record)
      const prompt = promptOf(context)
      return { count: records.count, item: async (index) => toItem(await records.read(index), index, prompt) }
    },
    solver: (profile) => (profile === 'aa' ? generate : lastChance),
    score(item, evidence, profile) {
      const read = profile === 'aa' ? boxedInteger : matharenaInteger
      const { value, from } = read(scoredText(evidence))
      return readingScore({ answer: value, ...readings[from] }, item.target, evidence)
    },
    demo(item, right) {
      const value = right ? item.target : String((Number(item.target) + 1) % 1000)
      return `Working through the conditions one after the other leaves a single value.\n\n\\boxed{${value}}`
    },
  }
}
