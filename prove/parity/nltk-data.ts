import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TableName } from '#shared/contract/card.ts'
import type { Table, TableFiles, Tables } from '#shared/scorers/tables.ts'

/** Where NLTK looks for the files of a table, and under which name it wants each. */
const places: Partial<Record<TableName, { folder: string; nameOf(file: string): string }>> = {
  punkt_english: { folder: 'tokenizers/punkt_tab/english', nameOf: (file) => file },
  stopwords_english: { folder: 'corpora/stopwords', nameOf: (file) => file },
  perceptron_tagger_english: {
    folder: 'taggers/averaged_perceptron_tagger_eng',
    nameOf: (file) => `averaged_perceptron_tagger_eng.${file}`,
  },
}

const filesOf = (name: TableName): Table<TableFiles> => ({ name, parse: (files) => files })

/** Writes the tables that NLTK knows into a data folder of its own, byte for byte those that our checks read. */
export async function writeNltkData(folder: string, names: readonly TableName[], tables: Tables): Promise<void> {
  for (const name of names) {
    const place = places[name]
    if (!place) continue
    await mkdir(join(folder, place.folder), { recursive: true })
    for (const [file, text] of Object.entries(tables.get(filesOf(name))))
      await writeFile(join(folder, place.folder, place.nameOf(file)), text)
  }
  // Upstream looks for the older name of the same thing before it downloads.
  await mkdir(join(folder, 'tokenizers/punkt'), { recursive: true })
}
