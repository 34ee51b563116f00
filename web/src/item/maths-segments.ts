/** A stretch of a text, by its UTF-16 offsets. Of maths, `tex` is what stands between the delimiters. */
export type Segment = { from: number; to: number } & ({ kind: 'text' | 'code' } | { kind: 'maths'; tex: string; display: boolean })

const longestInline = 1000
const longestDisplay = 20_000
/** Words between two dollar signs are prose about money, unless something there is written as TeX. */
const prose = /\p{L}{3,}/u
const texSigns = /[\\^_={}<>]/

/**
 * Cuts a text into prose, code and maths. Maths is what stands in `$…$`, `$$…$$`, `\(…\)`, `\[…\]`, in an environment or in `\boxed{…}`;
 * with `markdown`, code spans and fences are code, and nothing in them is maths.
 */
export function splitMaths(text: string, markdown: boolean): Segment[] {
  const segments: Segment[] = []
  let from = 0
  const close = (at: number) => {
    if (at > from) segments.push({ kind: 'text', from, to: at })
  }
  for (let at = 0; at < text.length; ) {
    const found = segmentAt(text, at, markdown)
    if (typeof found === 'number') {
      at += found
      continue
    }
    close(at)
    segments.push(found)
    from = found.to
    at = found.to
  }
  close(text.length)
  return segments
}

/** The code or maths that begins here, or how many characters of prose to pass. */
function segmentAt(text: string, at: number, markdown: boolean): Segment | number {
  switch (text[at]) {
    case '\\':
      return texAt(text, at) ?? 2
    case '$':
      return dollarsAt(text, at) ?? (text[at + 1] === '$' ? 2 : 1)
    case '`':
    case '~':
      return markdown ? codeAt(text, at) : 1
    default:
      return 1
  }
}

function texAt(text: string, at: number): Segment | undefined {
  const next = text[at + 1]
  if (next === '(') return between(text, at, '\\)', 2, false, longestInline)
  if (next === '[') return between(text, at, '\\]', 2, true, longestDisplay)
  const begun = next === 'b' && /^\\begin\{([a-zA-Z]+\*?)\}/.exec(text.slice(at, at + 40))
  if (begun) {
    const end = text.indexOf(`\\end{${begun[1]}}`, at)
    const to = end + begun[1]!.length + 6
    return end < 0 || end - at > longestDisplay ? undefined : { kind: 'maths', from: at, to, tex: text.slice(at, to), display: true }
  }
  if (!text.startsWith('\\boxed{', at)) return undefined
  const to = endOfBraces(text, at + 6)
  return to === undefined ? undefined : { kind: 'maths', from: at, to, tex: text.slice(at, to), display: false }
}

/** The offset behind the brace that closes the one at `open`. */
function endOfBraces(text: string, open: number): number | undefined {
  let depth = 0
  for (let at = open; at < Math.min(text.length, open + longestInline); at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '{') depth++
    else if (text[at] === '}' && --depth === 0) return at + 1
  }
  return undefined
}

function between(text: string, at: number, close: string, width: number, display: boolean, longest: number): Segment | undefined {
  const end = text.indexOf(close, at + width)
  if (end < 0 || end - at > longest) return undefined
  const tex = text.slice(at + width, end)
  return tex.trim() ? { kind: 'maths', from: at, to: end + close.length, tex, display } : undefined
}

function dollarsAt(text: string, at: number): Segment | undefined {
  if (text[at + 1] === '$') return between(text, at, '$$', 2, true, longestDisplay)
  if (/\s/.test(text[at + 1] ?? ' ')) return undefined
  for (let end = at + 1; end < Math.min(text.length, at + longestInline); end++) {
    if (text[end] === '\\') end++
    else if (text[end] === '\n' && text[end + 1] === '\n') return undefined
    else if (text[end] === '$') {
      const tex = text.slice(at + 1, end)
      const closes = !/\s$/.test(tex) && !/\d/.test(text[end + 1] ?? '')
      return closes && (texSigns.test(tex) || !prose.test(tex)) ? { kind: 'maths', from: at, to: end + 1, tex, display: false } : undefined
    }
  }
  return undefined
}

function codeAt(text: string, at: number): Segment | number {
  const run = /^(`+|~~~+)/.exec(text.slice(at, at + 100))?.[0]
  if (!run) return 1
  const lineStart = /^ {0,3}$/.test(text.slice(text.lastIndexOf('\n', at - 1) + 1, at))
  if (run.length >= 3 && lineStart) {
    const closing = new RegExp(`\\n {0,3}${run[0]}{${run.length},}[ \\t]*(?=\\n|$)`, 'g')
    closing.lastIndex = at
    const end = closing.exec(text)
    return { kind: 'code', from: at, to: end ? end.index + end[0].length : text.length }
  }
  if (run[0] === '~') return run.length
  const closing = new RegExp(`(?<!\`)${run}(?!\`)`, 'g')
  closing.lastIndex = at + run.length
  const end = closing.exec(text)
  return end ? { kind: 'code', from: at, to: end.index + run.length } : run.length
}
