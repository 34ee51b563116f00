import { readBlocks } from './blocks.js'
import { plainText } from './inline.js'

const opening = /^<!-- contents -->$/
const closing = /^<!-- \/contents -->$/
const withoutReturn = (line) => line.replace(/\r$/, '')

/**
 * The headings of a text.
 *
 * @param {string} text
 * @returns {{ level: number, text: string, slug: string, line: number }[]}
 */
export function readHeadings(text) {
  return withSlugs([...readBlocks(text.split('\n').map(withoutReturn))].filter(({ kind }) => kind === 'heading'))
}

/** A list of links to headings. */
export function renderContents(headings, { from = 1, to = 6, ordered = false, indent = 2 } = {}) {
  const above = []
  const numbers = []
  return headings
    .filter(({ level }) => from <= level && level <= to)
    .map(({ level, text, slug }) => {
      while (above.length > 0 && above.at(-1) >= level) above.pop()
      const depth = above.length
      above.push(level)
      numbers.length = Math.min(numbers.length, depth + 1)
      numbers[depth] = (numbers[depth] ?? 0) + 1
      const mark = ordered ? `${numbers[depth]}.` : '-'
      return `${' '.repeat(indent * depth)}${mark} [${text.replace(/[\\[\]`*_<]/g, '\\$&')}](#${slug})`
    })
    .join('\n')
}

/** A text with its contents up to date. */
export function updateContents(text, options) {
  const lines = text.split('\n')
  const blocks = [...readBlocks(lines.map(withoutReturn))]
  const places = []
  let open = null
  for (const { kind, content, line } of blocks) {
    if (kind !== 'comment') continue
    if (open === null && opening.test(content)) open = line
    else if (open !== null && closing.test(content)) {
      places.push([open, line])
      open = null
    }
  }
  if (open !== null) throw new Error(`contents at line ${open + 1} are not closed`)
  const headings = withSlugs(blocks.filter(({ kind, line }) => kind === 'heading' && !places.some(([start, end]) => start < line && line < end)))
  const contents = renderContents(headings, options)
  for (const [start, end] of places.reverse()) {
    const lineEnd = lines[start].endsWith('\r') ? '\r' : ''
    const filling = contents === '' ? [''] : ['', ...contents.split('\n'), '']
    lines.splice(start + 1, end - start - 1, ...filling.map((line) => line + lineEnd))
  }
  return lines.join('\n')
}

function withSlugs(headings) {
  const given = new Set()
  return headings.map(({ level, content, line }) => {
    const text = plainText(content)
    const base = text.toLowerCase().replace(/[^\p{L}\p{M}\p{N} _-]/gu, '').replace(/ /g, '-') || 'section'
    let slug = base
    for (let number = 1; given.has(slug); number++) slug = `${base}-${number}`
    given.add(slug)
    return { level, text, slug, line: line + 1 }
  })
}
