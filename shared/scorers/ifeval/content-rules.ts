import { pySpace } from '../../python/text.ts'
import type { IfevalRules } from './kwargs.ts'

const space = `[${pySpace}]?`
const postscripts = new Map([
  ['P.S.', new RegExp(`p\\.${space}s\\.`, 'u')],
  ['P.P.S', new RegExp(`p\\.${space}p\\.${space}s`, 'u')],
])

/** Spans from `[` to the next `]` on the same line; a span is used up before the next one begins. */
function countPlaceholders(text: string): number {
  let count = 0
  let open = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '[') open = true
    else if (char === '\n') open = false
    else if (char === ']' && open) {
      count++
      open = false
    }
  }
  return count
}

/** Instructions about content that can be seen without understanding it. */
export const contentRules = {
  'detectable_content:number_placeholders': (text, { num_placeholders }) => countPlaceholders(text) >= num_placeholders,
  'detectable_content:postscript': (text, { postscript_marker }) => {
    const lower = text.toLowerCase()
    const pattern = postscripts.get(postscript_marker)
    return pattern ? pattern.test(lower) : lower.includes(postscript_marker.toLowerCase())
  },
} satisfies Partial<IfevalRules>
