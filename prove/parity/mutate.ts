import type { pythonRandom } from '#shared/random/python-random.ts'

type Draw = Pick<ReturnType<typeof pythonRandom>, 'below'>
type Edit = (text: string, piece: string, draw: Draw) => string

/** An index that does not part a surrogate pair. */
function place(text: string, draw: Draw): number {
  const at = draw.below(text.length + 1)
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at
}

function overLines(text: string, draw: Draw, change: (lines: string[], at: number) => void): string {
  const lines = text.split('\n')
  change(lines, draw.below(lines.length))
  return lines.join('\n')
}

const edits: readonly Edit[] = [
  (text, piece, draw) => {
    const at = place(text, draw)
    return text.slice(0, at) + piece + text.slice(at)
  },
  (text, _piece, draw) => {
    const [from = 0, to = 0] = [place(text, draw), place(text, draw)].sort((a, b) => a - b)
    return to - from < text.length / 2 ? text.slice(0, from) + text.slice(to) : text.slice(from, to)
  },
  (text, _piece, draw) => overLines(text, draw, (lines, at) => lines.splice(at, 1)),
  (text, _piece, draw) => overLines(text, draw, (lines, at) => lines.splice(at, 0, lines[draw.below(lines.length)]!)),
  (text, piece, draw) => overLines(text, draw, (lines, at) => lines.splice(at, 1, `${piece}${lines[at]}`)),
  (text, piece, draw) => overLines(text, draw, (lines, at) => lines.splice(at, 1, `${lines[at]}${piece}`)),
  (text, piece) => piece + text,
  (text, piece) => text + piece,
  (text) => `Sure! Here is what you asked for:\n${text}`,
  (text) => `${text}\nI hope this helps!`,
  (text) => `Certainly:\n\n${text}\n\nLet me know.`,
  (text, piece) => text.replaceAll(' ', piece.length < 3 ? piece : ' '),
  (text) => text.replaceAll('.', ''),
  (text) => text.replaceAll('\n', ' '),
  (text) => text.replaceAll(', ', ' '),
  (text) => `**${text}**`,
  (text) => `"${text}"`,
  (text) => `\`\`\`\n${text}\n\`\`\``,
  (text) => text.toUpperCase(),
  (text) => text.toLowerCase(),
  (text, _piece, draw) => {
    const words = text.split(' ')
    const at = draw.below(words.length)
    words[at] = words[at]!.toUpperCase()
    return words.join(' ')
  },
]

/** The text after some random edits, each at a random place, cut to a length that keeps the checkers quick. */
export function mutated(text: string, count: number, pieces: readonly string[], draw: Draw): string {
  let found = text
  for (let i = 0; i < count; i++) found = edits[draw.below(edits.length)]!(found, pieces[draw.below(pieces.length)]!, draw)
  return found.length > 12_000 ? found.slice(0, place(found.slice(0, 12_000), draw)) : found
}
