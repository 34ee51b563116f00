import { strip } from '../python/text.ts'

const canary = /^(?:<!--[^\n]*canary[^\n]*-->|#[^\n]*canary[^\n]*)$/i

/** An instruction without the lines at its beginning by which data sets are found in training data, and without the blank lines behind them. */
export function withoutCanary(text: string): string {
  const lines = text.split('\n')
  let at = 0
  while (at < lines.length && canary.test(strip(lines[at] ?? ''))) at++
  while (at < lines.length && strip(lines[at] ?? '') === '') at++
  return lines.slice(at).join('\n')
}
