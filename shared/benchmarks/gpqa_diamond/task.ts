import type { Item } from '../../contract/item.ts'
import { artificialAnalysisLetter, baselineLetter, simpleEvalsLetter } from '../../scorers/gpqa-letter.ts'
import { generate } from '../../solvers/generate.ts'
import { itemHash } from '../item-hash.ts'
import { eachRecord, recordsOf } from '../parse-rows.ts'
import { readingScore, scoredText } from '../reading-score.ts'
import { everyRow } from '../survey.ts'
import type { Task } from '../task.ts'
import { card } from './card.ts'
import { perRowOrder, repeatedListOrder } from './option-order.ts'
import { type Prompt, promptOf } from './prompt.ts'
import { GpqaRecord } from './record.ts'

function toItem(record: GpqaRecord, index: number, order: readonly number[], prompt: Prompt): Item {
  const answers = [record.correct, ...record.incorrect]
  const options = order.map((place) => answers[place]!)
  const messages = prompt(record.question, options)
  return {
    item_id: String(index),
    source_id: record.record_id,
    item_hash: itemHash(messages),
    group: record.domain,
    messages,
    // Upstream looks the correct text up, so of two options with the same text the first one is gold.
    target: 'ABCD'[options.indexOf(record.correct)]!,
    metadata: { question: record.question, options, order: [...order], subdomain: record.subdomain },
  }
}

const readers = {
  official: { read: simpleEvalsLetter, how: 'first answer marker' },
  gpqa_official: { read: baselineLetter, how: "patterns of the paper's baselines" },
  aa: { read: artificialAnalysisLetter, how: 'patterns of Artificial Analysis' },
} as const

const readerOf = (profile: string) => (profile === 'gpqa_official' || profile === 'aa' ? readers[profile] : readers.official)

const task: Task<'completion'> = {
  card,
  key: 'Record ID',
  async survey({ rows }) {
    await eachRecord(recordsOf(rows, 'test', GpqaRecord))
    return everyRow
  },
  open({ profile, texts, rows }) {
    const records = recordsOf(rows, 'test', GpqaRecord)
    const order = (profile.id === 'gpqa_official' ? perRowOrder : repeatedListOrder)(records.count)
    const prompt = promptOf(profile.id, texts)
    return { count: records.count, item: async (index, epoch) => toItem(await records.read(index), index, order(index, epoch), prompt) }
  },
  solver: () => generate,
  score(item, evidence, profile) {
    const { read, how } = readerOf(profile)
    return readingScore({ answer: read(scoredText(evidence)), how, flags: [] }, item.target, evidence)
  },
  demo(item, right) {
    const letter = right ? item.target : 'ABCD'[('ABCD'.indexOf(item.target) + 1) % 4]
    return `Three of the four options contradict the question, so the answer is (${letter}).\n\nAnswer: ${letter}`
  },
}

export default task
