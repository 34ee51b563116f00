import type { Item } from '../../contract/item.ts'
import { apiLetter, apiXLetter, type LevelledLetter } from '../../scorers/mmlu-letter.ts'
import { generate } from '../../solvers/generate.ts'
import { itemHashAfter } from '../item-hash.ts'
import { eachRecord, type Records, recordsOf } from '../parse-rows.ts'
import { type Reading, readingScore, scoredText } from '../reading-score.ts'
import type { DataRows } from '../rows.ts'
import { everyRow } from '../survey.ts'
import { BadRecord, type Task } from '../task.ts'
import { card } from './card.ts'
import { builtinPrompt, officialPrompt, type Prompt } from './prompt.ts'
import { letters, MmluProRecord } from './record.ts'

/** Renders items with the prompts of a profile. Every category's opening is hashed once. */
function itemsOf(records: Records<MmluProRecord>, prompt: Prompt): (index: number) => Promise<Item> {
  const hashes = new Map<string, (rest: string) => string>()
  return async (index) => {
    const record = await records.read(index)
    const { opening, rest } = prompt(record)
    const hash = hashes.get(opening) ?? itemHashAfter('user', opening)
    hashes.set(opening, hash)
    return {
      item_id: String(index),
      source_id: String(record.question_id),
      item_hash: hash(rest),
      group: record.category,
      messages: [{ role: 'user', content: [opening, rest].join(''), opening: opening.length }], // in one piece, as `flatText` says
      target: record.answer,
      metadata: { question: record.question, options: record.options, src: record.src },
    }
  }
}

/** The worked examples, which are few. */
async function readShots(rows: DataRows): Promise<MmluProRecord[]> {
  const shots: MmluProRecord[] = []
  await eachRecord(recordsOf(rows, 'validation', MmluProRecord), (shot) => shots.push(shot))
  return shots
}

const patterns = { 1: 'stated as the answer', 2: 'after an answer marker', 3: 'last stand-alone letter' } as const

function reading(found: LevelledLetter): Reading {
  if (!found) return { answer: null, how: 'no pattern matched', flags: [] }
  return { answer: found.letter, how: patterns[found.level], flags: [`level_${found.level}`] }
}

const task: Task<'completion'> = {
  card,
  key: 'question_id',
  async survey({ profile, rows }) {
    const records = recordsOf(rows, 'test', MmluProRecord)
    const bare = new Map<string, number>()
    await eachRecord(records, ({ category }, row) => void (bare.has(category) || bare.set(category, row)))
    if (profile.id === 'builtin') return everyRow
    for (const { category } of await readShots(rows)) bare.delete(category)
    for (const row of bare.values()) throw new BadRecord('test', row, 'there is no worked example of its category')
    return everyRow
  },
  async open({ profile, texts, rows }) {
    const records = recordsOf(rows, 'test', MmluProRecord)
    const prompt = profile.id === 'builtin' ? builtinPrompt() : officialPrompt(texts, await readShots(rows))
    return { count: records.count, item: itemsOf(records, prompt) }
  },
  solver: () => generate,
  score(item, evidence, profile) {
    const letter = profile === 'official_last' ? apiXLetter : apiLetter
    return readingScore(reading(letter(scoredText(evidence))), item.target, evidence)
  },
  demo(item, right) {
    const options = item.metadata.options
    const count = Array.isArray(options) ? options.length : 2
    const answer = right ? item.target : letters[(letters.indexOf(item.target) + 1) % count]
    return `I compared the choices one by one and kept the only one that fits the question. The answer is (${answer}).`
  },
}

export default task
