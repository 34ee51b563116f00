import type { Records } from '../parse-rows.ts'
import { BadRecord } from '../task.ts'
import type { LcrDocument, LcrRecord } from './record.ts'

export type FoundDocument = { name: string; text: string }

/**
 * Finds the documents of a question, in its order. Both sides are compared in NFC. A document that is not there, or that is no text, fails the item as
 * `BadRecord`: a question is never asked without all of its documents. Line ends become LF, as Python's text mode makes them; nothing is trimmed.
 */
export function documentFinder(
  named: readonly (readonly [name: string, row: number])[],
  documents: Records<LcrDocument>,
): (record: LcrRecord, row: number) => Promise<FoundDocument[]> {
  const byName = new Map(named.map(([name, row]) => [name.normalize('NFC'), row]))
  const find = async ({ document_category, document_set_id }: LcrRecord, row: number, name: string): Promise<FoundDocument> => {
    const path = `lcr/${document_category}/${document_set_id}/${name}`
    const at = byName.get(path.normalize('NFC'))
    if (at === undefined) throw new BadRecord('test', row, `the document ${path} is missing`)
    const { text } = await documents.read(at)
    if (text === null) throw new BadRecord('test', row, `the document ${path} is not UTF-8 text`)
    return { name, text: text.replace(/\r\n?/g, '\n') }
  }
  return (record, row) => Promise.all(record.data_source_filenames.map((name) => find(record, row, name)))
}
