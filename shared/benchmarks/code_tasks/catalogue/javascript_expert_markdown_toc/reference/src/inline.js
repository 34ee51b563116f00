const punctuation = /[!-/:-@[-`{-~]/
/** Stands for characters that are to stay as they are, until the end. */
const firstKept = 0xf0000

/** The plain text of a heading as it was written. */
export function plainText(content) {
  const kept = []
  const keep = (character) => String.fromCodePoint(firstKept + kept.push(character) - 1)
  let text = ''
  for (let at = 0; at < content.length; ) {
    const ticks = /^`+/.exec(content.slice(at))?.[0]
    if (ticks) {
      const end = closingTicks(content, at + ticks.length, ticks.length)
      text += Array.from(end < 0 ? ticks : content.slice(at + ticks.length, end), keep).join('')
      at = end < 0 ? at + ticks.length : end + ticks.length
    } else if (content[at] === '\\' && punctuation.test(content[at + 1] ?? '')) {
      text += keep(content[at + 1])
      at += 2
    } else text += content[at++]
  }
  text = text.replace(/!\[([^[\]]*)\]\([^)]*\)/g, '$1').replace(/\[([^[\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1')
  for (const mark of ['**', '__', '~~', '*', '_']) text = withoutPairs(text, mark)
  return Array.from(text, (character) => kept[character.codePointAt(0) - firstKept] ?? character).join('')
}

function closingTicks(content, from, length) {
  for (const match of content.slice(from).matchAll(/`+/g)) if (match[0].length === length) return from + match.index
  return -1
}

function withoutPairs(text, mark) {
  const escaped = mark.replace(/\*/g, '\\*')
  const word = mark[0] === '_'
  const pair = new RegExp(`${word ? '(?<![\\p{L}\\p{N}])' : ''}${escaped}(?!\\s)(.+?)(?<!\\s)${escaped}${word ? '(?![\\p{L}\\p{N}])' : ''}`, 'gu')
  return text.replace(pair, '$1')
}
