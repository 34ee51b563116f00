import type { Draw } from './draw.ts'

/** Characters on which Python and JavaScript could differ, or on which tokenizers and splitters decide. */
const oddities = [
  ...`"'*-.,;:!?()[]{}/\\&%$#@_<>^~|\`+=`,
  ...'“”‘’«»…—–‽·¡¿',
  ...'\t\n\r\v\f\x1c\x1d\x1e\x1f\x85\xa0\u2028\u2029\u3000\u200b\ufeff',
  ...'éßΣςİıſKÅǅæøñ²½٣१Ⅷ',
  ...'日本語かナ한글中',
  '❤️',
  '😀',
  '👍🏽',
  '🇫🇷',
  '\u0301',
  '...',
  '. ',
  '?!',
  '!?',
  '\n\n',
  '\r\n',
  ' ',
  'e.g. ',
  'Dr. ',
  "n't",
  '--',
]

const change: readonly ((text: string, draw: Draw) => string)[] = [
  (text, draw) => insert(text, draw.pick(oddities), draw),
  (text, draw) => insert(text, draw.pick(oddities), draw),
  (text, draw) => remove(text, draw),
  (text, draw) => `${text}${draw.pick(oddities)}`,
  (text, draw) => `${draw.pick(oddities)}${text}`,
  (text, draw) => onWords(text, draw, (word) => word.toUpperCase()),
  (text, draw) => onWords(text, draw, (word) => word.toLowerCase()),
  (text, draw) => onWords(text, draw, (word) => `${word}${draw.pick(oddities)}`),
  (text, draw) => onWords(text, draw, (word) => `${draw.pick(oddities)}${word}`),
  (text, draw) => onWords(text, draw, () => ''),
  (text, draw) => onWords(text, draw, (word) => `${word} ${word}`),
  (text, draw) => onLines(text, draw, (line) => `${line}\n${line}`),
  (text, draw) => onLines(text, draw, (line) => ` ${line}`),
  (text, draw) => onLines(text, draw, () => ''),
]

const frames: readonly ((text: string) => string)[] = [
  (text) => `Sure, here it is:\n${text}`,
  (text) => `${text}\n\nI hope this helps!`,
  (text) => `Of course.\n${text}\nAnything else?`,
  (text) => `**${text}**`,
  (text) => `\`\`\`\n${text}\n\`\`\``,
  (text) => `\n\n${text}\n`,
  (text) => text.replace(/ /g, ' *').replace(/ \*(\S+)/, ' *$1*'),
  (text) => `# Answer\n\n* ${text}`,
]

function insert(text: string, part: string, draw: Draw): string {
  const chars = [...text]
  chars.splice(draw.below(chars.length + 1), 0, part)
  return chars.join('')
}

function remove(text: string, draw: Draw): string {
  const chars = [...text]
  chars.splice(draw.below(chars.length + 1), 1)
  return chars.join('')
}

function onWords(text: string, draw: Draw, part: (word: string) => string): string {
  const words = text.split(' ')
  const at = draw.below(words.length)
  words[at] = part(words[at]!)
  return words.join(' ')
}

function onLines(text: string, draw: Draw, part: (line: string) => string): string {
  const lines = text.split('\n')
  const at = draw.below(lines.length)
  lines[at] = part(lines[at]!)
  return lines.join('\n')
}

/** The text as it is, or changed in up to four small ways, or framed as models frame their answers. */
export function varyText(text: string, draw: Draw): string {
  let varied = text
  if (draw.chance(0.55)) for (let count = draw.between(1, 4); count > 0; count--) varied = draw.pick(change)(varied, draw)
  return draw.chance(0.25) ? draw.pick(frames)(varied) : varied
}

/** A piece of a recorded reply, from the start of one of its words, of at most `length` characters. */
export function pieceOf(reply: string, length: number, draw: Draw): string {
  const start = draw.below(Math.max(1, reply.length - length))
  return [...reply.slice(reply.indexOf(' ', start) + 1)].slice(0, length).join('')
}
