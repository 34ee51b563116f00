/** What would end a quoted element: its quote, and the sign that escapes one. */
const special = /["\\]/g
const isSpecial = /["\\]/

/**
 * The text of a one-dimensional PostgreSQL array, as a parameter of any array type takes it; texts are quoted, so none is taken for NULL
 * (PostgreSQL manual, 8.15.6: "Array Input and Output Syntax").
 */
export function arrayText(values: readonly (string | number | null)[]): string {
  return `{${values.map(elementText).join(',')}}`
}

function elementText(value: string | number | null): string | number {
  if (value === null) return 'NULL'
  if (typeof value === 'number') return value
  return `"${isSpecial.test(value) ? value.replace(special, '\\$&') : value}"`
}
