import type { Item } from '../../contract/item.ts'
import { equalityVerdict } from '../../scorers/judge-verdict.ts'
import { judged } from '../../solvers/judged.ts'
import { itemHash } from '../item-hash.ts'
import { judgedScore } from '../judged-score.ts'
import { eachRecord, recordsOf } from '../parse-rows.ts'
import { scoredText } from '../reading-score.ts'
import type { Task } from '../task.ts'
import { card } from './card.ts'
import { documentFinder, type FoundDocument } from './documents.ts'
import { lcrJudgePrompt, lcrPrompt } from './prompt.ts'
import { LcrDocument, LcrRecord } from './record.ts'

type Prompt = ReturnType<typeof lcrPrompt>

function toItem(record: LcrRecord, index: number, documents: readonly FoundDocument[], prompt: Prompt): Item {
  const asked = prompt(
    documents.map((document) => document.text),
    record.question,
  )
  const messages = [{ role: 'user' as const, ...asked }]
  return {
    item_id: String(index),
    source_id: String(record.question_id),
    item_hash: itemHash(messages),
    group: record.document_category,
    messages,
    target: record.answer,
    metadata: {
      question: record.question,
      document_set_id: record.document_set_id,
      documents: documents.map(({ name, text }) => ({ name, chars: text.length })),
      ...(record.input_tokens !== null && { input_tokens: record.input_tokens }),
    },
  }
}

/** The answer for lists: the evidence keeps it whole. */
const inShort = (text: string): string | null => (text.length > 300 ? `${text.slice(0, 299)}…` : text) || null

const task: Task<'judged'> = {
  card,
  key: 'question_id',
  async survey({ rows }) {
    const named: [string, number][] = []
    await eachRecord(recordsOf(rows, 'test', LcrRecord))
    await eachRecord(recordsOf(rows, 'documents', LcrDocument), ({ name }, row) => named.push([name, row]))
    return { items: null, named }
  },
  open({ profile, texts, rows, survey }) {
    const records = recordsOf(rows, 'test', LcrRecord)
    const documentsOf = documentFinder(survey.named, recordsOf(rows, 'documents', LcrDocument))
    const prompt = lcrPrompt(profile.id, texts)
    const item = async (index: number): Promise<Item> => {
      const record = await records.read(index)
      return toItem(record, index, await documentsOf(record, index), prompt)
    }
    return { count: records.count, item }
  },
  solver: (profile, texts) =>
    judged({
      ask: (item, candidate_answer) => [
        {
          role: 'user',
          content: lcrJudgePrompt(profile, texts, {
            question: String(item.metadata.question),
            official_answer: item.target,
            candidate_answer,
          }),
        },
      ],
      readable: (reply) => equalityVerdict(reply) !== null,
      retries: 2,
      schema: null,
    }),
  score(item, evidence) {
    const right = equalityVerdict(evidence.judge?.replies.at(-1) ?? '')
    const answer = inShort(scoredText(evidence).trim())
    const verdict = right === null ? null : { right, answer, why: '', detail: {} }
    return judgedScore(verdict, item.target, evidence)
  },
  demo: (item, right) => `Taking the documents together: ${right ? '' : 'anything but '}${item.target}`,
  demoVerdict: (_item, right) => (right ? 'CORRECT' : 'INCORRECT'),
}

export default task
