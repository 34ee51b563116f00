/** A sign that begins a formula, also of full width, behind anything that a spreadsheet may leave out: white space, controls, signs without width. */
const formula =
  /^(?:[\t\r]|[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]*[=+\-@\uff1d\uff0b\uff0d\uff20\ufe62\ufe63\ufe66\ufe6b\u2212])/u

export type CsvValue = string | number | boolean | null

/**
 * One CSV line (RFC 4180, CRLF). Null is an empty field, 0 is `0`. A text that a spreadsheet would run as a formula gets a leading
 * apostrophe (OWASP, CSV injection); numbers are left alone.
 */
export function csvLine(values: readonly CsvValue[]): string {
  return `${values.map(csvField).join(',')}\r\n`
}

function csvField(value: CsvValue): string {
  if (value === null) return ''
  if (typeof value !== 'string') return String(value)
  const safe = formula.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
