import { type Segment, splitMaths } from './maths-segments.ts'

export type Maths = { tex: string; display: boolean }
/** Where a part of a text begins, and behind its end. */
export type Range = { from: number; to: number }

/** Characters of private use that stand for something else while Markdown is rendered: `open number close` for maths, and the ends of a mark. */
export const signs = { open: '\uE000', close: '\uE001', markFrom: '\uE002', markTo: '\uE003' } as const
const taken = /[\uE000-\uE003]/g

/**
 * A text as it goes through a Markdown renderer without harm to its maths: formulas are replaced by numbered signs, and TeX's own backslashes
 * outside of them (`x^2\,dx`) are doubled, since Markdown would take them for escapes. The ends of `mark` become signs; a formula that
 * it touches is marked as a whole.
 */
export function markdownSource(text: string, mark: Range | null = null): { markdown: string; maths: Maths[] } {
  const maths: Maths[] = []
  const segments = splitMaths(text, true)
  const range = mark && widened(mark, segments)
  let markdown = ''
  for (const segment of segments) {
    if (range && range.from === segment.from) markdown += signs.markFrom
    if (segment.kind === 'maths') {
      maths.push({ tex: segment.tex, display: segment.display })
      markdown += `${signs.open}${maths.length - 1}${signs.close}`
    } else markdown += withMark(text, segment, range, segment.kind === 'text')
    if (range && range.to === segment.to) markdown += signs.markTo
  }
  return { markdown, maths }
}

/** A range with whole formulas in it or outside of it. */
function widened(mark: Range, segments: readonly Segment[]): Range {
  let { from, to } = mark
  for (const one of segments) {
    if (one.kind !== 'maths' || one.to <= mark.from || one.from >= mark.to) continue
    from = Math.min(from, one.from)
    to = Math.max(to, one.to)
  }
  return { from, to }
}

/** A stretch of prose or code with the ends of the mark that lie inside it. */
function withMark(text: string, { from, to }: Range, range: Range | null, isProse: boolean): string {
  const inside = (at: number | undefined) => at !== undefined && at > from && at < to
  const cuts = [from, ...(inside(range?.from) ? [range!.from] : []), ...(inside(range?.to) ? [range!.to] : []), to]
  return cuts
    .slice(0, -1)
    .map((cut, index) => {
      const sign = index === 0 ? '' : cut === range?.from ? signs.markFrom : signs.markTo
      const plain = text.slice(cut, cuts[index + 1]).replace(taken, '\uFFFD')
      return sign + (isProse ? plain.replace(/\\([,;:!\\])/g, '\\\\$1') : plain)
    })
    .join('')
}
