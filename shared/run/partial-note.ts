import type { RunHead } from '../contract/run.ts'
import { count } from '../metrics/number-text.ts'

/** What a canceled run never asked, and what its score is worth. */
export function unaskedNote({ total, done }: Pick<RunHead, 'total' | 'done'>): { title: string; text: string } {
  return {
    title: `Canceled, with ${count(total - done)} of ${count(total)} trials never asked.`,
    text: 'The score rests on the trials that were done, and quick answers are done first: do not compare it with that of a whole run.',
  }
}
