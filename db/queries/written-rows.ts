import { type SQL, sql } from 'drizzle-orm'
import { storableJson, storableJsonText } from '../storable.ts'
import { arrayText } from './array-text.ts'
import { type entryOf, listedColumns } from './trial-entry.ts'

type Entry = ReturnType<typeof entryOf>
type Name = keyof Entry

/** Every column that a batch of trials brings beside the records, by its type. */
const types: Record<Name, string> = { ...listedColumns, snippet: 'text', grams: 'bit(4096)', search: 'text' }
const names = Object.keys(types) as Name[] // the record's own keys

/**
 * Between two records. `JSON.stringify` writes line breaks as escapes, so one would do; PostgreSQL looks for a long text in fewer places than for a
 * short one.
 */
const betweenRecords = '\n'.repeat(16)

/** The trials of a batch as texts, of which every column is one and all records are one: PostgreSQL reads them twice as fast as an array of objects. */
export type WrittenRows = { columns: Record<Name, string>; records: string }

/** Text that the database cannot keep is replaced here where it stands in JSON; elsewhere `connect` does it for every parameter. */
export function writtenRows(entries: readonly Entry[], records: readonly string[]): WrittenRows {
  const columnOf = (name: Name): string => arrayText(entries.map((entry) => cellOf(name, entry[name])))
  return {
    columns: Object.fromEntries(names.map((name) => [name, columnOf(name)])) as WrittenRows['columns'], // every name once
    records: storableJsonText(records.join(betweenRecords)),
  }
}

function cellOf(name: Name, value: Entry[Name]): string | number | null {
  if (value === null || typeof value === 'number' || typeof value === 'string') return value
  if (types[name] === 'json') return storableJson(value)
  return arrayText(value as Entry['flags']) // the only column whose cells are lists
}

/** A list of lists must be of equal lengths, so a cell that is a list comes as its text. */
const inArray = (type: string): string => `${type === 'text[]' ? 'text' : type}[]`

const placed = sql.raw(`t(${names.join(', ')}, record)`)
const selected = sql.raw(names.map((name) => (types[name] === 'text[]' ? `t.${name}::text[]` : `t.${name}`)).join(', '))

/** A query for all columns of the rows and `record`, by their names. */
export function selectRows({ columns, records }: WrittenRows): SQL {
  const arrays = names.map((name) => sql`${columns[name]}::${sql.raw(inArray(types[name]))}`)
  return sql`select ${selected}, t.record::json as record
    from rows from (unnest(${sql.join(arrays, sql`, `)}), string_to_table(${records}, ${betweenRecords})) as ${placed}`
}
