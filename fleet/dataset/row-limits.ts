import { constants } from 'node:buffer'

/** How rows are read; the same on every thread. */
export type RowLimits = {
  /** Files of at most so many bytes are read at once and kept, packed ones of an eighth of that: an index would cost more. */
  inlineBytes: number
  /** A row of more bytes is parsed on a thread. */
  bigRowBytes: number
  /** What a row, or a file that is one JSON array, may have: the longest text that JavaScript knows. */
  mostRowBytes: number
}

export const rowLimits: RowLimits = { inlineBytes: 256 * 1024, bigRowBytes: 2 ** 20, mostRowBytes: constants.MAX_STRING_LENGTH }
