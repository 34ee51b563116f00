import * as z from 'zod'

/** A text that still says something once the spaces around it are gone. The pattern is for documents: trimming is how it is checked. */
export const spokenText = (max: number) => z.string().trim().min(1).max(max).meta({ pattern: '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$' })
