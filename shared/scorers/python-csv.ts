/** Python's `csv.field_size_limit()`, in characters. */
const longestField = 131_072

/** Where a reader stands: before a record, before a field, in one without quotes, in quotes, after a closing quote, after a line's end. */
type State = 'record' | 'field' | 'bare' | 'quoted' | 'quote' | 'line_end'

/**
 * `list(csv.reader(io.StringIO(text), delimiter=delimiter))` of Python (dialect excel): a blank line is a record without fields.
 * null where Python raises: text after a carriage return outside quotes, or a field longer than its limit.
 */
export function csvRecords(text: string, delimiter: string): string[][] | null {
  const records: string[][] = []
  let record: string[] = []
  let field = ''
  let length = 0
  let state: State = 'record'
  const add = (char: string) => {
    field += char
    length++
  }
  const endField = (next: State) => {
    record.push(field)
    field = ''
    length = 0
    state = next
  }
  const endRecord = () => {
    records.push(record)
    record = []
    state = 'record'
  }
  for (const char of text) {
    const isLineEnd = char === '\n' || char === '\r'
    if (state === 'quoted') {
      if (char === '"') state = 'quote'
      else add(char)
    } else if (state === 'line_end') {
      if (!isLineEnd) return null
    } else if (char === '"' && state !== 'bare') {
      if (state === 'quote') add(char)
      state = 'quoted'
    } else if (char === delimiter) endField('field')
    else if (isLineEnd) {
      if (state === 'record') state = 'line_end'
      else endField('line_end')
    } else {
      add(char)
      state = 'bare'
    }
    if (length > longestField) return null
    if (char === '\n' && state === 'line_end') endRecord()
  }
  if (state !== 'record' && state !== 'line_end') endField('line_end')
  if (state === 'line_end') endRecord()
  return records
}
