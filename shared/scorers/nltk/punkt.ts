import type { Table } from '../tables.ts'

/** What a Punkt model has learnt about a language. Word types are in lower case, numbers are `##number##`. */
export type Punkt = {
  /** Abbreviations without their final dot. */
  abbreviations: ReadonlySet<string>
  /** `first TAB second`: pairs of types that belong together although a dot stands between them. */
  collocations: ReadonlySet<string>
  sentenceStarters: ReadonlySet<string>
  /** Bits that say where and in which case a type has been seen (`seen` in `punkt-tokens.ts`). */
  orthography: ReadonlyMap<string, number>
}

/** The English Punkt model of NLTK (`punkt_tab`). */
export const punktEnglish: Table<Punkt> = {
  name: 'punkt_english',
  parse: (files) => ({
    abbreviations: new Set(linesOf(files['abbrev_types.txt']!)),
    collocations: new Set(linesOf(files['collocations.tab']!)),
    sentenceStarters: new Set(linesOf(files['sent_starters.txt']!)),
    orthography: new Map(linesOf(files['ortho_context.tab']!).map(entryOf)),
  }),
}

/** Lines as Python iterates over an opened text file: a final line end begins no further line. */
function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

function entryOf(line: string): [string, number] {
  const [type = '', bits = ''] = line.split('\t')
  return [type, Number(bits)]
}
