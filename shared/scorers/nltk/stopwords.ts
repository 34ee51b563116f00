import type { Table } from '../tables.ts'

/** The English stop words of NLTK, in lower case. */
export const stopwordsEnglish: Table<ReadonlySet<string>> = {
  name: 'stopwords_english',
  parse: (files) => new Set(files.english!.split(/\r\n|\n|\r/).filter((line) => line !== '')),
}
