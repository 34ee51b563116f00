const atx = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/
const underline = /^ {0,3}(=+|-+)[ \t]*$/
const thematic = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/
const fence = /^ {0,3}(?:(`{3,})[^`]*|(~{3,}).*)$/
const listMark = /^ {0,3}(?:[-+*]|(\d{1,9})[.)])(?:[ \t]|$)/
const isBlank = (line) => /^[ \t]*$/.test(line)

/**
 * Walks over the blocks of a text: headings (with their content as written) and comment lines, in order.
 *
 * @param {string[]} lines without their line ends
 */
export function* readBlocks(lines) {
  let paragraph = []
  for (let at = frontMatterEnd(lines); at < lines.length; at++) {
    const line = lines[at]
    const under = underline.exec(line)
    if (under && paragraph.length > 0) {
      yield { kind: 'heading', level: under[1][0] === '=' ? 1 : 2, content: paragraph.map((one) => one.trim()).join(' '), line: at - paragraph.length }
      paragraph = []
      continue
    }
    const open = fence.exec(line)
    if (open) {
      at = fenceEnd(lines, at, open[1] ?? open[2])
      paragraph = []
      continue
    }
    if (/^ {0,3}<!--/.test(line)) {
      yield { kind: 'comment', content: line.trim(), line: at }
      while (at < lines.length && !lines[at].includes('-->')) at++
      paragraph = []
      continue
    }
    const heading = atx.exec(line)
    if (heading) {
      yield { kind: 'heading', level: heading[1].length, content: atxContent(heading[2] ?? ''), line: at }
      paragraph = []
    } else if (isParagraphLine(line, paragraph.length > 0)) paragraph.push(line)
    else paragraph = []
  }
}

function isParagraphLine(line, inside) {
  if (isBlank(line) || thematic.test(line) || /^ {0,3}>/.test(line)) return false
  const mark = listMark.exec(line)
  if (mark) return inside && mark[1] !== undefined && mark[1] !== '1'
  return inside || !/^(?: {4}|\t)/.test(line)
}

function atxContent(rest) {
  return rest.trim().replace(/(^|[ \t]+)#+$/, '')
}

function fenceEnd(lines, start, mark) {
  const closing = new RegExp(`^ {0,3}[${mark[0]}]{${mark.length},}[ \\t]*$`)
  for (let at = start + 1; at < lines.length; at++) if (closing.test(lines[at])) return at
  return lines.length
}

function frontMatterEnd(lines) {
  if (lines[0] !== '---') return 0
  const end = lines.indexOf('---', 1)
  return end < 0 ? 0 : end + 1
}
