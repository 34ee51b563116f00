import { codePoints, pySpace, pyWord, strip } from '../../python/text.ts'
import { csvRecords } from '../python-csv.ts'
import type { IfbenchRules, Rule } from './kwargs.ts'

const cityHeader = ['ID', 'Country', 'City', 'Year', 'Count']
const special = new RegExp(`[^${pyWord}${pySpace}]`, 'u')

/** The header line: these names, each in quotes or not, a delimiter between them, blanks after it. */
function headerLine(names: readonly string[], between: string): RegExp {
  return new RegExp(`^${names.map((name) => `(?:${name}|"${name}")`).join(between)}$`)
}
const productHeader = headerLine(['ProductID', 'Category', 'Brand', 'Price', 'Stock'], ',[ \\t]*')
const studentHeader = headerLine(['StudentID', 'Subject', 'Grade', 'Semester', 'Score'], '\\t *')

const firstLine = (text: string) => strip(text.slice(0, text.indexOf('\n') < 0 ? text.length : text.indexOf('\n')))

/** The records of a text whose quotes are kept as part of the fields: each is tripled before reading. */
const recordsWithQuotes = (text: string, delimiter: string) => csvRecords(text.replaceAll('"', '"""'), delimiter)

const cities: Rule<'custom:csv_city'> = (text) => {
  const records = csvRecords(text, ',')
  if (records?.length !== 8 || records.some((record) => record.length !== 5)) return false
  return records[0]!.every((name, index) => name === cityHeader[index])
}

/** A field whose first line begins with a quote and has a character that is neither word nor space before a later quote. */
function hasSpecial(field: string): boolean {
  const chars = codePoints(field.split('\n')[0]!)
  const last = chars.lastIndexOf('"')
  return chars[0] === '"' && chars.slice(1, Math.max(1, last)).some((char) => special.test(char))
}

// Rows after the first one that has the special field are not looked at.
const specialCharacter: Rule<'custom:csv_special_character'> = (text) => {
  if (!productHeader.test(firstLine(text))) return false
  const records = recordsWithQuotes(text, ',')
  if (records?.length !== 15) return false
  const row = records.slice(1).find((record) => record.length !== 5 || record.some(hasSpecial))
  return row?.length === 5
}

// An empty field makes the official check raise; that follows nothing.
const allQuoted: Rule<'custom:csv_quotes'> = (text) => {
  if (!studentHeader.test(firstLine(text))) return false
  const records = recordsWithQuotes(text, '\t')
  if (records?.length !== 4) return false
  return records.every((record) => record.length === 5 && record.map(strip).every((field) => field.startsWith('"') && field.endsWith('"')))
}

export const csvRules = {
  'custom:csv_city': cities,
  'custom:csv_special_character': specialCharacter,
  'custom:csv_quotes': allQuoted,
} satisfies Partial<IfbenchRules>
