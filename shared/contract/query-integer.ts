import * as z from 'zod'

/** A whole number as a query writes it: digits and a sign. `Number` alone would take an empty text for 0, and ` 0x10 ` for 16. */
export function queryInteger(minimum: number, maximum: number = Number.MAX_SAFE_INTEGER) {
  return z
    .custom<string>((text) => typeof text === 'string' && /^-?\d{1,17}$/.test(text), 'Invalid input: expected a whole number')
    .transform(Number)
    .pipe(z.int().min(minimum).max(maximum))
    .meta({ type: 'integer', minimum, maximum })
}
