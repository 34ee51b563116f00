import type { Card } from '../contract/card.ts'
import type { Item, ItemFacts } from '../contract/item.ts'
import type { Message } from '../contract/message.ts'
import { type ExamVerdict, examVerdict, examVerdictSchema } from '../scorers/judge-verdict.ts'
import { judged } from '../solvers/judged.ts'
import { examJudgePrompt, examSystem } from './exam-prompt.ts'
import { ExamRecord, examColumns, pictureOf } from './exam-record.ts'
import { itemHash } from './item-hash.ts'
import { judgedScore, type Verdict } from './judged-score.ts'
import { eachRecord, recordsOf } from './parse-rows.ts'
import { BadRecord, type Task } from './task.ts'

type Row = { record: ExamRecord; row: number }

function toItem({ record, row }: Row, index: number, system: string): Item {
  const { id, question, image, answer, answer_type, raw_subject, category } = record
  const user: Message = { role: 'user', content: question }
  if (image !== '') {
    try {
      user.pictures = [pictureOf(image)]
    } catch (cause) {
      throw new BadRecord('test', row, 'its image is no base64', { cause })
    }
  }
  const messages: Message[] = [{ role: 'system', content: system }, user]
  const pictures = (user.pictures ?? []).map(({ media_type, sha256, bytes }) => ({ media_type, sha256, bytes }))
  return {
    item_id: String(index),
    source_id: id,
    item_hash: itemHash(messages),
    group: category,
    messages,
    target: answer,
    metadata: { question, answer_type, raw_subject, row, ...(pictures.length > 0 && { pictures }) },
  }
}

/** Only the official profile holds its judge to the schema; others may wrap the object in a fence. */
const readVerdict = (reply: string, profile: string) => examVerdict(reply, { fenced: profile !== 'official' })

function verdictOf({ extracted_final_answer, reasoning, correct, confidence }: ExamVerdict): Verdict {
  const none = extracted_final_answer.trim().toLowerCase() === 'none'
  return {
    right: correct.includes('yes'),
    answer: none ? null : extracted_final_answer,
    why: reasoning,
    detail: { confidence },
  }
}

function confidenceOf(item: Item, right: boolean): number {
  const step = Number(item.metadata.row) % 7
  return right ? 60 + 6 * step : 20 + 6 * step
}

/** A wrong answer that a judge, or a demo of one, cannot mistake for the right one. */
const answerOf = (item: ItemFacts, right: boolean): string => (right ? item.target : `something other than ${item.target}`)

/**
 * The task of Humanity's Last Exam over those rows that `takes` (reference 3). `item_id` counts the rows taken; `source_id` and the fact `row` are those of
 * the full set, so that the items of two selections can be compared.
 */
export function examTask(card: Card & { evidence: 'judged' }, takes: (record: ExamRecord) => boolean): Task<'judged'> {
  return {
    card,
    key: 'id',
    columns: { test: examColumns },
    async survey({ rows }) {
      const items: number[] = []
      await eachRecord(recordsOf(rows, 'test', ExamRecord), (record, row) => {
        if (takes(record)) items.push(row)
      })
      return { items, named: [] }
    },
    open({ profile, texts, rows, survey }) {
      const records = recordsOf(rows, 'test', ExamRecord)
      const taken = survey.items ?? []
      const system = examSystem(profile.id, texts)
      const item = async (index: number): Promise<Item> => {
        const row = taken[index]!
        return toItem({ record: await records.read(row), row }, index, system)
      }
      return { count: taken.length, item }
    },
    solver: (profile, texts) =>
      judged({
        ask: (item, response) =>
          examJudgePrompt(profile, texts, { question: String(item.metadata.question), correct_answer: item.target, response }),
        readable: (reply) => readVerdict(reply, profile) !== null,
        retries: 1,
        schema: { name: 'ExtractedAnswer', schema: examVerdictSchema },
      }),
    score(item, evidence, profile) {
      const verdict = readVerdict(evidence.judge?.replies.at(-1) ?? '', profile)
      const facts = { multiple_choice: item.metadata.answer_type === 'multipleChoice', picture: item.metadata.pictures !== undefined }
      return judgedScore(verdict && verdictOf(verdict), item.target, evidence, facts)
    },
    demo: (item, right) =>
      `Explanation: I weighed what the question says against what is known.\nAnswer: ${answerOf(item, right)}\nConfidence: ${confidenceOf(item, right)}%`,
    demoVerdict: (item, right) =>
      JSON.stringify({
        extracted_final_answer: answerOf(item, right),
        reasoning: right ? 'The two answers agree.' : 'The two answers differ.',
        correct: right ? 'yes' : 'no',
        confidence: confidenceOf(item, right),
        strict: true,
      } satisfies ExamVerdict),
  }
}
