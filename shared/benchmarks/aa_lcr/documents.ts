import { BadRecord } from '../task.ts'
import type { LcrDocument, LcrRecord } from './record.ts'

export type FoundDocument = { name: string; text: string }

/**
 * Finds the documents of a question, in its order. Both sides are compared in NFC. A document that is not there, or that is no text, fails the item as
 * `BadRecord`: a question is never asked without all of its documents. Line ends become LF, as Python's text mode makes them; nothing is trimmed.
 */
export function documentFinder(documents: readonly LcrDocument[]): (record: LcrRecord, row: number) => FoundDocument[] {
  const byName = new Map(documents.map((document) => [document.name.normalize('NFC'), document.text]))
  return (record, row) =>
    record.data_source_filenames.map((name) => {
      const path = `lcr/${record.document_category}/${record.document_set_id}/${name}`
      const text = byName.get(path.normalize('NFC'))
      if (text === undefined) throw new BadRecord('test', row, `the document ${path} is missing`)
      if (text === null) throw new BadRecord('test', row, `the document ${path} is not UTF-8 text`)
      return { name, text: text.replace(/\r\n?/g, '\n') }
    })
}
