import fc from 'fast-check'
import { expect, test } from 'vitest'
import { strip } from '../../python/text.ts'
import { draws } from '../../testing/draws.ts'
import { noTables } from '../tables.ts'
import { formatRules } from './format-rules.ts'

/** Python's `for line in lines: if not line.strip(): lines.remove(line)`, step by step. */
function walkAndRemove(text: string): string[] {
  const lines = text.split('\n')
  for (let at = 0; at < lines.length; at++) {
    if (strip(lines[at]!) === '') lines.splice(lines.indexOf(lines[at]!), 1)
  }
  return lines
}

const depth = (line: string) => line.length - line.replace(/^ +/, '').length

test('[SCORE46] blank lines are removed from stairs as by a loop over the list that it shortens', () => {
  const line = fc.constantFrom('', '', ' ', '  ', '\t', 'a', ' b', '  c', '   d', '    e')
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      const text = lines.join('\n')
      const depths = walkAndRemove(text).map(depth)
      const rising = depths.every((found, index) => index === 0 || found > depths[index - 1]!)
      expect(formatRules['format:line_indent'](text, {}, noTables)).toBe(rising)
    }),
    draws(2000),
  )
})
