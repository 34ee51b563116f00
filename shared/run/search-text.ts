import { responseOf } from '../contract/evidence/evidence.ts'
import type { Message } from '../contract/message.ts'
import type { TrialRecord } from '../contract/trial.ts'

/** Of a longer text only the beginning is searched, in UTF-16 units. */
const mostSearched = 200_000
const snippetLength = 140

/** Messages as they are kept, without what many prompts begin with. */
type Messages = { messages: readonly Pick<Message, 'role' | 'content'>[] }

/** A text in the form that a search compares: case does not matter, nor which of its two forms a small sigma has. */
export function foldCase(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ')
}

/**
 * What a search looks through: ids, answer, the model's text and the prompt, with case folded. Of a prompt it is what the item has to itself,
 * not the worked examples that thousands share.
 */
export function searchText(record: Pick<TrialRecord, 'item_id' | 'source_id' | 'answer' | 'evidence'> & Messages): string {
  const parts = [
    record.item_id,
    record.source_id,
    record.answer,
    responseOf(record.evidence),
    ...record.messages.map(({ content }) => content),
  ]
  return foldCase(parts.filter(Boolean).join('\n').slice(0, mostSearched))
}

/**
 * How an item's question begins, on one line of at most 140 characters: the question of its metadata where it has one (worked examples make
 * prompts begin alike), else what the user sent last. Empty where there is neither.
 */
export function snippetOf({
  item_metadata: { question, problem, prompt },
  messages,
}: Pick<TrialRecord, 'item_metadata'> & Messages): string {
  const own = [question, problem, prompt].find((text) => typeof text === 'string')
  const text = own ?? messages.findLast(({ role }) => role === 'user')?.content ?? ''
  const line = text.slice(0, 4 * snippetLength).replace(/[^\S ]\s*| \s+/g, ' ') // single spaces, which are nearly all, stay as they are
  let end = 0
  for (let taken = 0; taken < snippetLength && end < line.length; taken++) end += line.codePointAt(end)! > 0xffff ? 2 : 1 // pairs stay whole
  return line.slice(0, end)
}
