import { answerCutFlag } from '#shared/contract/evidence/evidence.ts'
import type { TrialRecord } from '#shared/contract/trial.ts'

/** A text cut around the place an answer was read from; without a `hit` the whole text is `before`. */
export type MarkedText = { before: string; hit: string; after: string }

const wordy = /[\p{L}\p{N}]/u

/** The last place where `answer` stands in `text` as a whole word; scorers read the last statement of an answer. */
export function markAnswer(text: string, answer: string | null): MarkedText {
  if (answer) {
    for (let at = text.lastIndexOf(answer); at >= 0; at = at === 0 ? -1 : text.lastIndexOf(answer, at - 1)) {
      const end = at + answer.length
      const whole = !(joins(text[at - 1]) && joins(answer[0])) && !(joins(answer.at(-1)) && joins(text[end]))
      if (whole) return { before: text.slice(0, at), hit: answer, after: text.slice(end) }
    }
  }
  return { before: text, hit: '', after: '' }
}

/** What was read as the answer and can be marked: where the record holds only the beginning of a text, nobody knows where it stands. */
export function readOf({ answer, flags }: Pick<TrialRecord, 'answer' | 'flags'>): string | null {
  return flags.includes(answerCutFlag) ? null : answer
}

function joins(letter: string | undefined): boolean {
  return letter !== undefined && wordy.test(letter)
}

/** Where the marked part stands, or null where nothing is marked. */
export function markRange({ before, hit }: MarkedText): { from: number; to: number } | null {
  return hit ? { from: before.length, to: before.length + hit.length } : null
}

/** Whether a text is written to be rendered: with formulas, code or Markdown that is hard to read as it stands. */
export function wantsRendering(text: string): boolean {
  return /```|\\[([]|\\(frac|sqrt|boxed|begin|text|int|sum)(?![a-zA-Z])|\$[^$\n]*[\\^_][^$\n]*\$|^#{1,6} |\*\*\S/m.test(text)
}
